import Glibc
import SearchModel

/// Asks the user a question on the terminal.
struct Question {
    private let console: Console

    init?(_ console: Console) {
        guard isatty(console.input) == 1, console.outputIsTerminal, console.errorsIsTerminal else { return nil }
        self.console = console
    }

    func answer(_ text: String) throws(ClientError) -> String {
        console.write(text, to: console.errors)
        while true {
            let ready = try DescriptorIO.wait(for: console.input, console.interrupt)
            if ready[1] {
                console.write("\n", to: console.errors)
                throw ClientError(.interrupted, "interrupted")
            }
            // One read returns a whole line, because the terminal is in line mode.
            guard let line = try DescriptorIO.read(console.input, bytesMax: 4096) else { continue }
            if line.isEmpty { console.write("\n", to: console.errors) }
            return String(decoding: line, as: UTF8.self)
        }
    }
}

extension Context {
    /// Asks for a confirmation.
    ///
    /// Without a terminal, throws `usage` with `command` as a hint, or returns true if `command` is nil.
    func isConfirmed(_ text: String, orRun command: String?) throws(ClientError) -> Bool {
        if arguments.has(.yes) { return true }
        guard let question = Question(console) else {
            guard let command else { return true }
            throw ClientError(.usage, "without a terminal, the command needs --yes", hint: "Run “\(command)”.")
        }
        let lines = Layout(columns: console.errorColumns ?? console.columns).fitted("\(text) [y/N]")
        let answer = try question.answer(lines.joined(separator: "\n") + " ").filter { !$0.isWhitespace }.lowercased()
        if ["y", "yes"].contains(answer) { return true }
        console.report("Nothing was changed.")
        return false
    }
}
