/// How a terminal shows pictures.
package enum GraphicsKind: Equatable, Sendable {
    /// As coloured characters, which every terminal shows.
    case symbols
    /// By the protocol of kitty.
    case kitty
}

/// Finds out how a terminal shows pictures, by asking it; pure.
///
/// Terminals answer in order, and all answer the last question: what has no answer before that is not supported.
package struct GraphicsQuestion {
    static let pictureID = 2_147_483_647
    /// A terminal that takes longer is slow, or far away: it shows no pictures.
    package static let patience = Duration.milliseconds(300)
    /// A picture of one dot for kitty's protocol, which is only checked; then the attributes.
    package static let sequence = Array("\u{1B}_Gi=\(pictureID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c".utf8)
    /// The attributes alone, which every terminal answers.
    package static let lastPart = Array("\u{1B}[c".utf8)

    private var kind = GraphicsKind.symbols

    package init() {}

    /// Whether a terminal can be asked, which is more than that it can be drawn on: these would show the question.
    package static func canBeAsked(_ variable: (String) -> String?) -> Bool {
        variable("TERM") != "linux" && variable("TERM_PROGRAM") != "Apple_Terminal"
    }

    /// The kind, once the last answer has come.
    package mutating func received(_ answer: TerminalAnswer) -> GraphicsKind? {
        switch answer {
        case .graphics(let isKnown):
            if isKnown { kind = .kitty }
            return nil
        case .attributes: return kind
        }
    }
}

/// What a terminal says of itself when it is asked.
package enum TerminalAnswer: Equatable, Sendable {
    /// What it can do (DA1).
    case attributes
    /// Whether it shows pictures by the protocol of kitty.
    case graphics(isKnown: Bool)

    /// The string for programs that stands behind an escape and `introducer`; nil when it is no answer to us.
    init?(introducer: UInt8, _ text: [UInt8]) {
        guard introducer == UInt8(ascii: "_"), text.starts(with: "Gi=\(GraphicsQuestion.pictureID)".utf8) else {
            return nil
        }
        self = .graphics(isKnown: text.suffix(3).elementsEqual(";OK".utf8))
    }

    /// A sequence that begins with an escape and `[`; nil when it is no answer to us.
    init?(sequence: [UInt8]) {
        guard sequence.starts(with: "\u{1B}[?".utf8), sequence.last == UInt8(ascii: "c") else { return nil }
        self = .attributes
    }
}
