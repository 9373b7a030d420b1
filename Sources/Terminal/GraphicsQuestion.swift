/// How a terminal shows pictures.
package enum GraphicsKind: Equatable, Sendable {
    /// As coloured characters, which every terminal shows.
    case symbols
    case sixel
    case kitty
    case iTerm
}

/// Finds out how a terminal shows pictures, by asking it; pure.
///
/// Terminals answer in order, and all answer the last question: what has no answer before that is not supported.
package struct GraphicsQuestion {
    static let pictureID = 2_147_483_647
    /// A terminal that takes longer is slow, or far away: it shows no pictures.
    package static let patience = Duration.milliseconds(300)
    /// A picture of one dot for kitty's protocol, which is only checked; the name; the attributes.
    package static let sequence = Array(
        "\u{1B}_Gi=\(pictureID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[>q\u{1B}[c".utf8
    )

    /// The attributes alone, which every terminal answers.
    package static let lastPart = Array("\u{1B}[c".utf8)

    private static let namesOfITerm = ["iTerm2", "iTerm.app", "WezTerm", "mintty"]
    private static let sixelAttribute = 4

    private var kind = GraphicsKind.symbols

    /// - Parameter variable: Asked for `TERM_PROGRAM` and `LC_TERMINAL`, where some terminals write their names.
    package init(_ variable: (String) -> String?) {
        // Within another program that draws on the terminal, its own name stands in the first.
        if let name = variable("TERM_PROGRAM") ?? variable("LC_TERMINAL") { heed(name: name) }
    }

    /// Whether a terminal can be asked, which is more than that it can be drawn on: these would show the question.
    package static func canBeAsked(_ variable: (String) -> String?) -> Bool {
        variable("TERM") != "linux" && variable("TERM_PROGRAM") != "Apple_Terminal"
    }

    /// The kind, once the last answer has come.
    package mutating func received(_ answer: TerminalAnswer) -> GraphicsKind? {
        switch answer {
        case .graphics(let isKnown): if isKnown { kind = .kitty }
        case .version(let name): heed(name: name)
        case .attributes(let numbers):
            if kind == .symbols, numbers.contains(Self.sixelAttribute) { kind = .sixel }
            return kind
        }
        return nil
    }

    private mutating func heed(name: String) {
        if kind == .symbols, Self.namesOfITerm.contains(where: { name.utf8.starts(with: $0.utf8) }) { kind = .iTerm }
    }
}

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
