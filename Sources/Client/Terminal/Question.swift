import Glibc
import SearchModel

/// A question before something is done that can't be undone.
struct Question {
    private let console: Console

    /// Nil where no person is at the terminal: a script or a pipe gets what it asks for.
    init?(_ console: Console) {
        guard isatty(console.input) == 1, console.outputIsTerminal, console.errorsIsTerminal else { return nil }
        self.console = console
    }

    /// Asks; anything but y or yes is a no, and so is the end of the input.
    ///
    /// - Throws: `interrupted` at Ctrl-C.
    func isConfirmed(_ text: String) throws(ClientError) -> Bool {
        console.write("\(text) [y/N] ", to: console.errors)
        while true {
            let ready = try Transfers.wait(for: console.input, console.interrupt)
            if ready[1] {
                console.write("\n", to: console.errors)
                throw ClientError(.interrupted, "interrupted")
            }
            // The terminal gives a line at once.
            guard let line = try Transfers.read(console.input, bytesMax: 4096) else { continue }
            if line.isEmpty { console.write("\n", to: console.errors) }
            let answer = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }.lowercased()
            return ["y", "yes"].contains(answer)
        }
    }
}
