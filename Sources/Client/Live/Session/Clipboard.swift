import RPC

/// The terminal's clipboard (OSC 52).
enum Clipboard {
    /// Of more, terminals take nothing.
    static let bytesMax = 64 << 10

    static func sequence(_ text: String) -> [UInt8] {
        Array("\u{1B}]52;c;".utf8) + Base64.text(of: Array(text.utf8.prefix(bytesMax))) + [0x07]
    }
}
