/// How a terminal shows pictures.
package enum GraphicsKind: Equatable, Sendable {
    /// Coloured characters, which every terminal supports.
    case symbols
    case kitty
}

/// Asks a terminal whether it supports kitty's graphics protocol.
package struct GraphicsQuery {
    static let pictureID = 2_147_483_647
    /// Without an answer in this time, no pictures are shown.
    package static let timeout = Duration.seconds(1)
    /// A query of kitty's protocol, then a query of the device attributes.
    ///
    /// Every terminal answers the second query.
    package static let sequence = Array("\u{1B}_Gi=\(pictureID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c".utf8)

    private var kind = GraphicsKind.symbols

    package init() {}

    /// False for terminals that would show the query as text.
    package static func canBeSent(_ variable: (String) -> String?) -> Bool {
        variable("TERM") != "linux" && variable("TERM_PROGRAM") != "Apple_Terminal"
    }

    /// Returns nil until the answer to the second query arrives.
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
    case attributes
    case graphics(isKnown: Bool)

    init?(introducer: UInt8, _ text: [UInt8]) {
        guard introducer == UInt8(ascii: "_"), text.starts(with: "Gi=\(GraphicsQuery.pictureID)".utf8) else {
            return nil
        }
        self = .graphics(isKnown: text.suffix(3).elementsEqual(";OK".utf8))
    }

    init?(sequence: [UInt8]) {
        guard sequence.starts(with: "\u{1B}[?".utf8), sequence.last == UInt8(ascii: "c") else { return nil }
        self = .attributes
    }
}
