extension Printer {
    /// Prints a text, with a pager if it is longer than the screen; returns when the pager has ended.
    ///
    /// With `staysOpen`, the pager also shows a short text until the user leaves it.
    func print(
        paged text: String,
        _ context: Context,
        mayPage: Bool = true,
        linesBelow: Int = 1,
        staysOpen: Bool = false
    ) throws(ClientError) {
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
        guard mayPage, let rows = context.screenRows, staysOpen || lines + linesBelow > rows,
            let words = PagerChoice.words(context.environment, staysOpen: staysOpen),
            var pager = AttachedProgram.start(words, isReading: true)
        else { return try print(text) }
        var rest = Array(text.utf8)[...]
        do throws(ClientError) {
            while !rest.isEmpty, let writing = pager.writing {
                rest = rest.dropFirst(try DescriptorIO.write(rest, to: writing))
            }
        } catch  where error.code == .outputClosed {
            // The reader left before the end.
        }
        _ = pager.finish()
    }
}

/// The user's pager.
enum PagerChoice {
    private static let standard = "less -FRX"

    /// Its command line; nil without one, or if `$PAGER` is `cat`.
    static func words(_ environment: Environment, staysOpen: Bool = false) -> [String]? {
        let command = environment["PAGER"] ?? (staysOpen ? "less" : standard)
        guard let program = command.split(separator: " ").first, program != "cat",
            ProgramSearch.path(of: String(program), environment) != nil
        else { return nil }
        // As git and gh do: a bare “less” shows colours, and ends at once when all fits the screen. All text is UTF-8.
        let less = staysOpen ? "R" : "${LESS-FRX}"
        let settings = "LESS=\(less) LESSCHARSET=${LESSCHARSET-utf-8}; export LESS LESSCHARSET"
        return ["/bin/sh", "-c", "\(settings); \(command)"]
    }
}
