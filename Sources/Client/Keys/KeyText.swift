/// A secret as somebody typed it: it is shown nowhere, and only its bytes go into a file.
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
            throw ClientError(.usage, "no key was given", hint: "Type it, or pipe it in: one line a secret")
        }
        guard bytes.count <= Self.bytesMax else {
            throw ClientError(.usage, "that is longer than \(Self.bytesMax) bytes, and no key")
        }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ClientError(
                .usage,
                "it holds characters that no key has",
                hint: "Copy it without blanks and without quotes around it"
            )
        }
    }

    var description: String { "‹secret›" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
