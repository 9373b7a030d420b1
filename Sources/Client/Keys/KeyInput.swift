import CPlatform
import Glibc
import SearchModel
import Terminal

/// Reads secrets from a terminal without echo, or from standard input, one per line.
struct KeyInput: ~Copyable {
    private static let lineBytesMax = KeyText.bytesMax + 2

    private let console: Console
    private let isTerminal: Bool
    private var rest: [UInt8] = []
    private var hasEnded = false

    init(_ console: Console) {
        self.console = console
        isTerminal = isatty(console.input) == 1
    }

    mutating func key(_ prompt: String, mayBeEmpty: Bool = false) throws(ClientError) -> KeyText? {
        guard let typed = try typed(prompt), !mayBeEmpty || typed.contains(where: { $0 > 0x20 }) else { return nil }
        return try KeyText(typed)
    }

    private mutating func typed(_ prompt: String) throws(ClientError) -> [UInt8]? {
        guard isTerminal, let mode = TerminalMode(console.input) else { return try line() }
        // Ignore Ctrl-Z: while this process is stopped, the shell would show the typed key.
        let handler = signal(SIGTSTP, SIG_IGN)
        mode.hideInput()
        let lines = Layout(columns: console.columns).fitted("\(prompt):")
        console.write(lines.joined(separator: "\n") + " ", to: console.errors)
        defer {
            mode.restore()
            console.write("\n", to: console.errors)
            _ = signal(SIGTSTP, handler)
        }
        return try line()
    }

    private mutating func line() throws(ClientError) -> [UInt8]? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[..<end])
                rest.removeSubrange(...end)
                return line
            }
            if hasEnded || rest.count > Self.lineBytesMax {
                defer { rest = [] }
                return rest.isEmpty ? nil : rest
            }
            let ready = try DescriptorIO.wait(for: console.input, console.interrupt)
            if ready[1] { throw ClientError(.interrupted, "interrupted") }
            guard let more = try DescriptorIO.read(console.input, bytesMax: Self.lineBytesMax) else { continue }
            hasEnded = more.isEmpty
            rest += more
        }
    }
}

/// A typed secret.
///
/// Its descriptions hide the text, so no code prints the text by mistake.
struct KeyText: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    static let bytesMax = 4096

    let bytes: [UInt8]

    /// Removes blanks at both ends.
    ///
    /// Errors omit the text, because it may be a key.
    init(_ typed: [UInt8]) throws(ClientError) {
        let blanks = Set(" \t\r\n".utf8)
        let tail = typed.drop { blanks.contains($0) }
        bytes = Array(tail.reversed().drop { blanks.contains($0) }.reversed())
        guard !bytes.isEmpty else {
            let hint = "Type the key, or pass one secret per line on standard input."
            throw ClientError(.usage, "no key was given", hint: hint)
        }
        guard (Secret.bytesMin...Self.bytesMax).contains(bytes.count) else {
            let bounds = "\(Secret.bytesMin) to \(NumberText.grouped(Self.bytesMax)) bytes"
            throw ClientError(.usage, "a key must have \(bounds)", hint: "Copy all of it.")
        }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ClientError(
                .usage,
                "a key must have only printable ASCII characters and no blanks",
                hint: "Copy it without quotation marks."
            )
        }
    }

    var description: String { "‹secret›" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
