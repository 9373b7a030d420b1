/// How a terminal shows pictures.
package enum GraphicsKind: Equatable, Sendable {
    /// The terminal shows pictures only as coloured characters, which all terminals support.
    case symbols
    case kitty
}

/// Asks a terminal whether it supports kitty's graphics protocol.
///
/// There are two queries. Only terminals with kitty's protocol answer the first query. All terminals answer the second
/// query, which asks for the device attributes. Answers arrive in the order of the queries.
package struct GraphicsQuery {
    static let pictureID = 2_147_483_647
    /// The time to wait for the answers; if it ends first, no pictures are shown.
    package static let timeout = Duration.seconds(1)
    /// The queries: a one-pixel picture in kitty's protocol, then the device attributes.
    package static let sequence = Array("\u{1B}_Gi=\(pictureID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c".utf8)

    private var kind = GraphicsKind.symbols

    package init() {}

    /// Returns whether to send the queries; some terminals would show the queries as text.
    package static func canBeSent(_ variable: (String) -> String?) -> Bool {
        variable("TERM") != "linux" && variable("TERM_PROGRAM") != "Apple_Terminal"
    }

    /// Handles an answer, and returns nil until the answer to the last query arrives.
    package mutating func receive(_ answer: TerminalAnswer) -> GraphicsKind? {
        switch answer {
        case .graphics(let isKnown):
            if isKnown { kind = .kitty }
            return nil
        case .attributes: return kind
        }
    }
}

package enum TerminalAnswer: Equatable, Sendable {
    /// The device attributes (DA1).
    case attributes
    case graphics(isKnown: Bool)

    /// Parses the control string after an escape and `introducer`, and fails if it is not an answer.
    init?(introducer: UInt8, _ text: [UInt8]) {
        guard introducer == UInt8(ascii: "_"), text.starts(with: "Gi=\(GraphicsQuery.pictureID)".utf8) else {
            return nil
        }
        self = .graphics(isKnown: text.suffix(3).elementsEqual(";OK".utf8))
    }

    /// Parses a sequence that begins with an escape and `[`, and fails if it is not an answer.
    init?(sequence: [UInt8]) {
        guard sequence.starts(with: "\u{1B}[?".utf8), sequence.last == UInt8(ascii: "c") else { return nil }
        self = .attributes
    }
}
