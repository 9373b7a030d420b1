/// How a terminal shows pictures.
package enum GraphicsKind: Equatable, Sendable {
    /// As coloured characters, which all terminals show.
    case symbols
    /// With kitty's protocol.
    case kitty
}

/// Queries how a terminal shows pictures.
///
/// Terminals answer in order, and all answer the query of the attributes, which is the last one.
package struct GraphicsQuery {
    static let pictureID = 2_147_483_647
    /// A slower terminal shows no pictures.
    package static let timeout = Duration.seconds(1)
    /// A query with a one-pixel picture in kitty's protocol, then a query of the attributes.
    package static let sequence = Array("\u{1B}_Gi=\(pictureID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c".utf8)

    private var kind = GraphicsKind.symbols

    package init() {}

    /// Whether a terminal understands the query; some would show it as text.
    package static func canBeSent(_ variable: (String) -> String?) -> Bool {
        variable("TERM") != "linux" && variable("TERM_PROGRAM") != "Apple_Terminal"
    }

    /// Handles an answer; returns the kind after the last one.
    package mutating func receive(_ answer: TerminalAnswer) -> GraphicsKind? {
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
        guard introducer == UInt8(ascii: "_"), text.starts(with: "Gi=\(GraphicsQuery.pictureID)".utf8) else {
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
