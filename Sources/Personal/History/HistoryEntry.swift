package import JSON
package import SearchModel

/// A query that a user has searched for.
package struct HistoryEntry: Sendable {
    package let query: String
    /// The latest time, in milliseconds since 1970; unique for a user.
    package let at: Int64
    /// The number of searches.
    package let count: Int
    /// The sources of the latest search.
    package let sources: [String]

    package var json: JSONValue {
        [
            "query": .string(query), "at": .string(Milliseconds.text(at)), "count": .number(JSONNumber(count)),
            "sources": .array(sources.map { .string($0) }),
        ]
    }
}

/// One search, as input for the history.
package struct HistorySearch: Equatable, Sendable {
    package let query: SearchQuery
    /// Milliseconds since 1970.
    package let at: Int64
    package let sources: [SourceName]

    package init(query: SearchQuery, at: Int64, sources: [SourceName]) {
        self.query = query
        self.at = at
        self.sources = sources
    }
}

/// A filter of entries, the latest first.
package struct HistoryQuery: Sendable {
    package static let limitDefault = 100

    /// The prefix of a query or of one of its words, in any spelling that finds words in the library.
    package var prefix: String?
    package var limit = Self.limitDefault
    /// Only entries that are older, in milliseconds since 1970.
    package var before: Int64?

    package init() {}
}

/// The entries to remove from a history.
package enum HistorySelection: Equatable, Sendable {
    case all
    case query(SearchQuery)
    /// From an instant on, in milliseconds since 1970.
    case since(Int64)

    package func contains(_ search: HistorySearch) -> Bool {
        switch self {
        case .all: true
        case .query(let query): search.query == query
        case .since(let instant): search.at >= instant
        }
    }
}

/// How searches are recorded; the same for all users.
package struct HistorySettings: Equatable, Sendable {
    package static let keepDefault = Duration.seconds(90 * 86_400)

    /// If off, nothing more is written; existing entries stay until they expire.
    package var isEnabled = true
    /// How long entries and seen hits are kept.
    package var keep = Self.keepDefault

    package init() {}
}

/// Instants in milliseconds since 1970, in the wire format.
package enum Milliseconds {
    /// RFC 3339 in UTC; a fraction of zero is omitted.
    package static func text(_ instant: Int64) -> String {
        let (seconds, rest) = (instant.quotient, instant.remainder)
        let text = RFC3339.text(seconds)
        guard rest > 0 else { return text }
        let fraction = String(rest + 1000).utf8.dropFirst()
        let (date, zone) = (text.utf8.prefix(19), text.utf8.dropFirst(19))
        return String(decoding: Array(date) + [UInt8(ascii: ".")] + fraction + zone, as: UTF8.self)
    }

    /// Nil if it is not an instant in RFC 3339; uses three digits of a fraction.
    package static func read(_ text: String) -> Int64? {
        guard text.utf8.count <= 40, let seconds = RFC3339.epochSeconds(text) else { return nil }
        var digits: ArraySlice<UInt8> = []
        let rest = Array(text.utf8.dropFirst(19))
        if rest.first == UInt8(ascii: ".") { digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }.prefix(3) }
        let fraction = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        return seconds * 1000 + (digits.count..<3).reduce(fraction) { value, _ in value * 10 }
    }
}

extension Int64 {
    /// Whole seconds, rounded down, and the remaining milliseconds.
    fileprivate var quotient: Int64 { (self - remainder) / 1000 }
    fileprivate var remainder: Int64 { (self % 1000 + 1000) % 1000 }
}
