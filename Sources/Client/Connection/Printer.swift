import Glibc

/// Our output, when there is no daemon to listen to meanwhile.
struct Printer {
    private let console: Console

    init(_ console: Console) {
        self.console = console
    }

    /// Prints a text; returns when all of it is written.
    func print(_ text: String) throws(ClientError) {
        try print(Array(text.utf8))
    }

    /// Prints a line of JSON; on a terminal, with what could drive it escaped.
    func print(json: ArraySlice<UInt8>) throws(ClientError) {
        try print((console.outputIsTerminal ? VisibleJSON.visible(json) : Array(json)) + [UInt8(ascii: "\n")])
    }

    private func print(_ bytes: [UInt8]) throws(ClientError) {
        var rest = bytes[...]
        while !rest.isEmpty { rest = rest.dropFirst(try Transfers.write(rest, to: console.output)) }
    }
}
