/// Where the hits of a search go: to standard output, or into a pager once they are longer than the screen.
///
/// Up to a screen is held back where a pager may be needed, since only then is it known.
final class SearchOutput {
    /// Lines of the screen that are not for hits: the summary, and where the shell goes on.
    private static let linesLeft = 3

    private let pagerWords: [String]?
    private let linesMax: Int
    private var held: [UInt8] = []
    private var heldLines = 0
    private var pager: AttachedProgram?

    /// - Parameters:
    ///   - pagerWords: Starts the pager; nil when none may be started.
    ///   - rows: The lines of the screen.
    init(pagerWords: [String]?, rows: Int) {
        self.pagerWords = pagerWords
        linesMax = max(1, rows - Self.linesLeft)
    }

    /// Whether the terminal belongs to a pager.
    var isPaged: Bool { pager != nil }

    /// Prints a text as far as it is known where it belongs.
    func print(_ text: [UInt8], to exchange: inout DaemonConnection) throws(ClientError) {
        guard let pagerWords, pager == nil else { return exchange.print(text) }
        held += text
        heldLines += text.count { $0 == UInt8(ascii: "\n") }
        guard heldLines > linesMax else { return }
        // What is on its way is for the terminal itself.
        try exchange.flush()
        pager = AttachedProgram.startReading(pagerWords)
        if let writing = pager?.writing { exchange.redirectOutput(to: writing) }
        printHeld(to: &exchange)
    }

    /// Prints all that is left; returns when a reader of the pager has left it.
    ///
    /// - Throws: `outputClosed` when the reader left before the end; whatever `flush` throws.
    func finish(_ exchange: inout DaemonConnection) throws(ClientError) {
        printHeld(to: &exchange)
        do throws(ClientError) {
            try exchange.flush()
        } catch {
            close()
            throw error
        }
        close()
    }

    /// Waits for the pager's end, if there is one.
    func close() {
        _ = pager?.finish()
        pager = nil
    }

    private func printHeld(to exchange: inout DaemonConnection) {
        exchange.print(held)
        held = []
    }
}

extension Printer {
    /// Prints a text, with a pager where it is longer than the screen; returns when its reader has left it.
    func print(paged text: String, _ context: Context, mayPage: Bool = true) throws(ClientError) {
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
        guard mayPage, let rows = context.screenRows, lines >= rows,
            let words = PagerChoice.words(context.environment), var pager = AttachedProgram.startReading(words)
        else { return try print(text) }
        var rest = Array(text.utf8)[...]
        do throws(ClientError) {
            while !rest.isEmpty, let writing = pager.writing {
                rest = rest.dropFirst(try Transfers.write(rest, to: writing))
            }
        } catch  where error.code == .outputClosed {
            // Who leaves before the end has seen enough.
        }
        _ = pager.finish()
    }
}

/// Which pager a terminal's user wants.
enum PagerChoice {
    /// Beyond these options a pager's own settings count.
    private static let standard = "less -FRX"

    /// The program and its words; nil when there is none, or `$PAGER` says so by being `cat`.
    static func words(_ environment: Environment) -> [String]? {
        let command = environment["PAGER"] ?? standard
        guard let program = command.split(separator: " ").first, program != "cat",
            ProgramSearch.path(of: String(program), environment) != nil
        else { return nil }
        // As git and gh do: a bare “less” shows colours, and ends at once when all fits the screen. All text is UTF-8.
        let settings = "LESS=${LESS-FRX} LESSCHARSET=${LESSCHARSET-utf-8}; export LESS LESSCHARSET"
        return ["/bin/sh", "-c", "\(settings); \(command)"]
    }
}
