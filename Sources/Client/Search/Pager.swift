/// Prints text through a pager.
extension Console {
    /// Prints a text.
    ///
    /// If the text is longer than the screen, starts a pager and waits until the pager has ended.
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
            var pager = TerminalProgram.start(words, isReading: true)
        else { return try print(text) }
        var rest = Array(text.utf8)[...]
        do throws(ClientError) {
            while !rest.isEmpty, let writing = pager.writing {
                rest = rest.dropFirst(try DescriptorIO.write(rest, to: writing))
            }
        } catch  where error.code == .outputClosed {
            // The user quit the pager early.
        }
        _ = pager.finish()
    }
}

enum PagerChoice {
    private static let standard = "less -FRX"

    static func words(_ environment: Environment, staysOpen: Bool = false) -> [String]? {
        let command = environment["PAGER"] ?? (staysOpen ? "less" : standard)
        guard let program = command.split(separator: " ").first, program != "cat",
            ProgramSearch.path(of: String(program), environment) != nil
        else { return nil }
        // -R shows colours. If the text fits the screen, -F ends `less` immediately. -X keeps the text on the screen.
        let less = staysOpen ? "R" : "${LESS-FRX}"
        let settings = "LESS=\(less) LESSCHARSET=${LESSCHARSET-utf-8}; export LESS LESSCHARSET"
        return ["/bin/sh", "-c", "\(settings); \(command)"]
    }
}
