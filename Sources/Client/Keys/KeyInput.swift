import CPlatform
import Glibc
import SearchModel
import Terminal

/// Asks for secrets: on a terminal without echo, elsewhere a line of standard input for each.
struct KeyInput: ~Copyable {
    /// A line of input that is longer is no key.
    private static let lineBytesMax = KeyText.bytesMax + 2

    private let console: Console
    private let isTerminal: Bool
    private var rest: [UInt8] = []
    private var hasEnded = false

    init(_ console: Console) {
        self.console = console
        isTerminal = isatty(console.input) == 1
    }

    /// The next secret, nil when the input has ended; the prompt is shown on a terminal only.
    ///
    /// - Throws: `interrupted` at Ctrl-C, with the terminal as it was.
    mutating func key(_ prompt: String) throws(ClientError) -> KeyText? {
        guard isTerminal, let mode = TerminalMode(console.input) else { return try line().map(KeyText.init) }
        let signals = try SignalInput([SIGTSTP, SIGCONT])
        let prompt = Prompt(text: "\(prompt): ", mode: mode, signals: signals, console: console)
        prompt.show()
        // On every way out of here, also by Ctrl-C, which is a descriptor that we poll and no signal that ends us.
        defer { prompt.end() }
        return try line(prompt).map(KeyText.init)
    }

    private mutating func line(_ prompt: Prompt? = nil) throws(ClientError) -> [UInt8]? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[..<end])
                rest.removeSubrange(...end)
                return line
            }
            guard !hasEnded else {
                defer { rest = [] }
                return rest.isEmpty ? nil : rest
            }
            guard rest.count <= Self.lineBytesMax else { return rest }
            let ready = try Transfers.wait(for: console.input, console.interrupt, prompt?.signals.descriptor)
            if ready[1] { throw ClientError(.interrupted, "interrupted") }
            if ready[2] {
                prompt?.received()
                continue
            }
            guard let more = try Transfers.read(console.input, bytesMax: Self.lineBytesMax) else { continue }
            hasEnded = more.isEmpty
            rest += more
        }
    }
}

/// A question on a terminal that shows nothing of the answer, also after Ctrl-Z: the shell may have set the terminal
/// differently meanwhile.
private struct Prompt {
    let text: String
    let mode: TerminalMode
    let signals: SignalInput
    let console: Console

    func show() {
        mode.hideInput()
        console.write(text, to: console.errors)
    }

    func end() {
        mode.restore()
        console.write("\n", to: console.errors)
        signals.end()
    }

    /// Stops or has been continued; what is typed from then on is hidden again before any of it is read.
    func received() {
        while let signal = signals.next() {
            guard signal == SIGTSTP else { continue }
            mode.restore()
            signals.deliver(signal)
        }
        show()
    }
}

/// A secret as it was typed: it is shown nowhere, and only its bytes go into a file.
struct KeyText: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What the daemon reads of one.
    static let bytesMax = 4096

    let bytes: [UInt8]

    /// The text without the blanks around it.
    ///
    /// - Throws: When it is nothing that the daemon would take for a key; the text is not in the error.
    init(_ typed: [UInt8]) throws(ClientError) {
        let blanks = Set(" \t\r\n".utf8)
        let tail = typed.drop { blanks.contains($0) }
        bytes = Array(tail.reversed().drop { blanks.contains($0) }.reversed())
        guard !bytes.isEmpty else {
            throw ClientError(.usage, "no key was given", hint: "Type it, or pipe it in, one secret per line.")
        }
        guard bytes.count >= Secret.bytesMin else {
            throw ClientError(
                .usage,
                "a key has at least \(Secret.bytesMin) bytes",
                hint: "Copy all of it."
            )
        }
        guard bytes.count <= Self.bytesMax else {
            throw ClientError(.usage, "a key has at most \(Self.bytesMax) bytes")
        }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ClientError(
                .usage,
                "a key has only printable ASCII characters and no blanks",
                hint: "Copy it without the quotes around it."
            )
        }
    }

    var description: String { "‹secret›" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
