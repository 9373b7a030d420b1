/// What a terminal says of itself when it is asked.
package enum TerminalAnswer: Equatable, Sendable {
    /// What it can do, by the numbers of its manual (DA1).
    case attributes([Int])
    /// Its name and version (XTVERSION).
    case version(String)
    /// Whether it shows pictures by the protocol of kitty.
    case graphics(isKnown: Bool)

    /// The string for programs that stands behind an escape and `introducer`; nil when it is no answer to us.
    init?(introducer: UInt8, _ text: [UInt8]) {
        switch UnicodeScalar(introducer) {
        case "P" where text.starts(with: ">|".utf8):
            self = .version(String(decoding: text.dropFirst(2).filter { (0x20..<0x7F).contains($0) }, as: UTF8.self))
        case "_" where text.starts(with: "Gi=\(GraphicsQuestion.pictureID)".utf8):
            self = .graphics(isKnown: text.suffix(3).elementsEqual(";OK".utf8))
        default: return nil
        }
    }

    /// A sequence that begins with an escape and `[`; nil when it is no answer to us.
    init?(sequence: [UInt8]) {
        guard sequence.starts(with: "\u{1B}[?".utf8), sequence.last == UInt8(ascii: "c") else { return nil }
        let numbers = String(decoding: sequence.dropFirst(3).dropLast(), as: UTF8.self).split(separator: ";")
        self = .attributes(numbers.compactMap { Int($0) })
    }
}
