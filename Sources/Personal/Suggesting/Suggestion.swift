import JSON

/// A text that a user may be about to type.
package struct Suggestion: Equatable, Sendable {
    /// What it is; of a text that is several of these the last counts.
    package enum Kind: String, CaseIterable, Comparable, Sendable {
        /// The title of a hit that searches have brought.
        case title
        /// The title of a saved item.
        case saved
        /// A query that was searched.
        case history

        private var rank: UInt8 {
            switch self {
            case .title: 0
            case .saved: 1
            case .history: 2
            }
        }

        package static func < (left: Kind, right: Kind) -> Bool { left.rank < right.rank }
    }

    package let text: String
    package let kind: Kind
    /// How often it was searched, or brought; 1 of what was saved.
    package let count: Int
    /// When that was last, in milliseconds since 1970.
    package let at: Int64

    package init(_ text: String, _ kind: Kind, count: Int = 1, at: Int64) {
        self.text = text
        self.kind = kind
        self.count = count
        self.at = at
    }

    package static func == (left: Suggestion, right: Suggestion) -> Bool {
        left.text.hasSameBytes(as: right.text) && left.kind == right.kind && left.count == right.count
            && left.at == right.at
    }
}
