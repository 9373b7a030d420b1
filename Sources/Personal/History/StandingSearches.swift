package import EventLoop
import Hangul
import JSON
package import SearchModel

/// One user's searches that do not count yet: a newer one may replace them, as it does with half-typed words.
///
/// A search counts once it has stood for `standing`, or is followed by what shows that its answer was wanted. Before
/// that, a newer one on its channel replaces it, and one that goes on from its letters or takes some of them back, by
/// whatever connection of the user. The same query again is the same search.
///
/// Pure. Invariant: no two have one query; they stand in the order in which they came.
package struct StandingSearches: Sendable {
    package static let standing = Duration.seconds(1)
    /// More in that time no person makes: those beyond are not recorded.
    package static let countMax = 1024
    /// Only the latest so many are compared with a newer one: people replace what they have just typed.
    static let comparedMax = 8

    /// Where a search came from.
    package struct Origin: Equatable, Sendable {
        package let connection: UInt64
        /// On the connection.
        package let channel: String?

        package init(connection: UInt64, channel: String? = nil) {
            self.connection = connection
            self.channel = channel
        }

        fileprivate func isChannel(of other: Origin) -> Bool {
            guard connection == other.connection, let channel, let another = other.channel else { return false }
            return channel.hasSameBytes(as: another)
        }
    }

    private struct Entry: Sendable {
        let search: HistorySearch
        let keys: [Unicode.Scalar]
        var origin: Origin
        let until: Instant
    }

    private var entries: [Entry] = []
    private var queries: Set<SearchQuery> = []
    /// Grows whenever a search is dropped before it counts.
    package private(set) var dropped: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }
    /// When the first of them counts.
    package var nextDue: Instant? { entries.first?.until }

    /// A search has come.
    ///
    /// - Complexity: O(n) in the letters of the query, for one that is not standing yet.
    /// - Returns: Until when it stands, unless it is dropped.
    @discardableResult
    package mutating func note(_ search: HistorySearch, from origin: Origin, at now: Instant) -> Instant {
        if queries.contains(search.query), let index = entries.lastIndex(where: { $0.search.query == search.query }) {
            entries[index].origin = origin
            return entries[index].until
        }
        let until = now.advanced(by: Self.standing)
        guard entries.count < Self.countMax else { return until }
        let keys = KeyboardLayout.keys(of: FoldedText(search.query.text).scalars)
        drop { $0.origin.isChannel(of: origin) || Self.isTyping($0.keys, keys) }
        entries.append(Entry(search: search, keys: keys, origin: origin, until: until))
        queries.insert(search.query)
        return until
    }

    /// Whether one is on the way to the other.
    private static func isTyping(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Bool {
        let (shorter, longer) = left.count < right.count ? (left, right) : (right, left)
        return !shorter.isEmpty && longer.starts(with: shorter)
    }

    private mutating func drop(where isReplaced: (Entry) -> Bool) {
        for index in entries.indices.suffix(Self.comparedMax).reversed() where isReplaced(entries[index]) {
            queries.remove(entries.remove(at: index).search.query)
            dropped += 1
        }
    }

    /// Takes those that have stood long enough.
    package mutating func takeStood(at now: Instant) -> [HistorySearch] {
        let count = entries.prefix { $0.until <= now }.count
        let stood = entries.prefix(count).map(\.search)
        entries.removeFirst(count)
        for search in stood { queries.remove(search.query) }
        return stood
    }

    /// Takes the latest of a connection: an item of it was looked up or saved.
    package mutating func takeFollowed(on connection: UInt64) -> HistorySearch? {
        take { $0.origin.connection == connection }
    }

    /// Takes the one of a query: its next page was asked for.
    package mutating func takeFollowed(_ query: SearchQuery) -> HistorySearch? {
        queries.contains(query) ? take { $0.search.query == query } : nil
    }

    private mutating func take(where isWanted: (Entry) -> Bool) -> HistorySearch? {
        guard let index = entries.lastIndex(where: isWanted) else { return nil }
        let search = entries.remove(at: index).search
        queries.remove(search.query)
        return search
    }

    /// Drops what is selected.
    package mutating func drop(_ selection: HistorySelection) {
        let count = entries.count
        entries.removeAll { selection.contains($0.search) }
        queries = Set(entries.map(\.search.query))
        if entries.count < count { dropped += 1 }
    }
}
