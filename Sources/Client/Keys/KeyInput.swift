import CPlatform
import Glibc
import SearchModel

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

    /// The next secret; what is asked for is shown on a terminal only.
    ///
    /// - Throws: `interrupted` at Ctrl-C, with the terminal as it was.
    mutating func key(_ prompt: String) throws(ClientError) -> KeyText {
        guard isTerminal else { return try KeyText(line()) }
        let mode = TerminalMode(console.input)
        mode?.hideInput()
        console.write("\(prompt): ", to: console.errors)
        // On every way out of here, also by Ctrl-C, which is a descriptor that we poll and no signal that ends us.
        defer {
            mode?.restore()
            console.write("\n", to: console.errors)
        }
        return try KeyText(line())
    }

    private mutating func line() throws(ClientError) -> [UInt8] {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[..<end])
                rest.removeSubrange(...end)
                return line
            }
            guard !hasEnded else {
                defer { rest = [] }
                return rest
            }
            guard rest.count <= Self.lineBytesMax else { return rest }
            try wait()
            guard let more = try Transfers.read(console.input, bytesMax: Self.lineBytesMax) else { continue }
            hasEnded = more.isEmpty
            rest += more
        }
    }

    private func wait() throws(ClientError) {
        var polled = [
            pollfd(fd: console.input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: console.interrupt ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        // The kernel fills the array, whose length is given, during the call.
        while unsafe poll(&polled, nfds_t(polled.count), -1) < 0 {
            guard platform_errno() == EINTR else { throw ClientError(.system, "the input can't be waited for") }
        }
        if polled[1].revents != 0 { throw ClientError(.interrupted, "interrupted") }
    }
}
