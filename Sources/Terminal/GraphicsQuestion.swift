/// How a terminal shows pictures.
package enum GraphicsKind: Equatable, Sendable {
    /// As coloured characters, which all terminals show.
    case symbols
    /// With kitty's protocol.
    case kitty
}

/// Asks a terminal how it shows pictures.
///
/// Terminals answer in order, and all answer the last question. What has no answer before that is not supported.
package struct GraphicsQuestion {
    static let pictureID = 2_147_483_647
    /// The timeout; a slower terminal shows no pictures.
    package static let patience = Duration.milliseconds(300)
    /// A query with a one-pixel picture in kitty's protocol, then a query of the attributes.
    package static let sequence = Array("\u{1B}_Gi=\(pictureID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c".utf8)
    /// The query of the attributes, which all terminals answer.
    package static let lastPart = Array("\u{1B}[c".utf8)

    private var kind = GraphicsKind.symbols

    package init() {}

    /// Whether a terminal can be asked; some would show the query as text.
    package static func canBeAsked(_ variable: (String) -> String?) -> Bool {
        variable("TERM") != "linux" && variable("TERM_PROGRAM") != "Apple_Terminal"
    }

    /// Processes an answer; returns the kind after the last one.
    package mutating func received(_ answer: TerminalAnswer) -> GraphicsKind? {
        switch answer {
        case .graphics(let isKnown):
            if isKnown { kind = .kitty }
            return nil
        case .attributes: return kind
        }
    }
}

/// An answer of a terminal to a query.
package enum TerminalAnswer: Equatable, Sendable {
    /// The device attributes (DA1).
    case attributes
    /// Whether it supports kitty's protocol.
    case graphics(isKnown: Bool)

    /// Parses a control string after an escape and `introducer`; fails if it is not an answer.
    init?(introducer: UInt8, _ text: [UInt8]) {
        guard introducer == UInt8(ascii: "_"), text.starts(with: "Gi=\(GraphicsQuestion.pictureID)".utf8) else {
            return nil
        }
        self = .graphics(isKnown: text.suffix(3).elementsEqual(";OK".utf8))
    }

    /// Parses a sequence that begins with an escape and `[`; fails if it is not an answer.
    init?(sequence: [UInt8]) {
        guard sequence.starts(with: "\u{1B}[?".utf8), sequence.last == UInt8(ascii: "c") else { return nil }
        self = .attributes
    }
}
