import EventLoop
import JSON
package import SearchModel
import Storage

extension PersonalStore {
    /// Rows that are read in one turn.
    private static let rowsMax = 1000
    /// Fewer than an index takes, which leaves room for later changes.
    private static let loadedMax = SuggestionIndex.entriesMax * 7 / 8

    /// Returns an index of the user's latest queries, saved titles and titles that searches returned, in this order.
    package func suggestions(_ settings: HistorySettings) async throws(SearchError) -> SuggestionIndex {
        guard hasFile else { return SuggestionIndex() }
        let reading = Locked(SuggestionReading(oldest: oldest(settings)))
        return try await useInTurns { tables throws(StorageError) in
            try reading.withLock { reading throws(StorageError) in
                try reading.advance(in: tables.database, rowsMax: Self.rowsMax, entriesMax: Self.loadedMax)
                    ? reading.takeIndex() : nil
            }
        }
    }
}

/// Reads what can be suggested, the latest first.
private struct SuggestionReading: Sendable {
    private enum Part: CaseIterable {
        case queries
        case saved
        case seen
    }

    private let oldest: Int64
    private var index = SuggestionIndex()
    private var parts = Part.allCases[...]
    /// The last row that was read.
    private var at = Int64.max
    private var number = Int64.max

    init(oldest: Int64) {
        self.oldest = oldest
    }

    mutating func takeIndex() -> SuggestionIndex {
        defer { index = SuggestionIndex() }
        return index
    }

    /// Reads some more rows; true at the end.
    mutating func advance(in database: Database, rowsMax: Int, entriesMax: Int) throws(StorageError) -> Bool {
        guard let part = parts.first, index.count < entriesMax else { return true }
        var count = 0
        try database.run(
            Self.statement(part),
            .integer(at),
            .integer(number),
            .integer(oldest),
            .integer(rowsMax)
        ) { row throws(StorageError) in
            count += 1
            let time = row.integer(1)
            (number, at) = (row.integer(0), time)
            switch part {
            case .queries:
                index.take(.title(Suggestion(row.text(2), .history, count: Int(row.integer(3)), at: time)))
            case .saved:
                if let title = Self.title(row.blob(2)) {
                    index.take(.title(Suggestion(title: title, .saved, at: time * 1000)))
                }
            case .seen:
                if let title = Self.title(row.blob(2)) {
                    index.take(.title(Suggestion(title: title, .title, count: Int(row.integer(3)), at: time)))
                }
            }
        }
        if part == .queries, count < rowsMax { try markFound(in: database) }
        guard count < rowsMax else { return false }
        parts.removeFirst()
        (at, number) = (.max, .max)
        return parts.isEmpty
    }

    private static func statement(_ part: Part) -> String {
        switch part {
        case .queries:
            """
            SELECT number, at, query, count FROM history WHERE (at, number) < (?1, ?2) AND at >= ?3
            ORDER BY at DESC, number DESC LIMIT ?4
            """
        case .saved:
            """
            SELECT number, savedAt, item, 1, ?3 FROM items WHERE (savedAt, number) < (?1, ?2)
            ORDER BY savedAt DESC, number DESC LIMIT ?4
            """
        case .seen:
            """
            SELECT number, at, hit, (SELECT count(*) FROM seenBy WHERE seenBy.number = seen.number) FROM seen
            WHERE (at, number) < (?1, ?2) AND at >= ?3 ORDER BY at DESC, number DESC LIMIT ?4
            """
        }
    }

    private static func title(_ item: [UInt8]) -> String? { (try? JSONDocument(item))?.root[.title]?.string }

    /// Marks the queries whose hits are kept.
    private mutating func markFound(in database: Database) throws(StorageError) {
        var digests: Set<Int64> = []
        try database.run("SELECT DISTINCT query FROM seenBy") { row throws(StorageError) in
            digests.insert(row.integer(0))
        }
        index.markFound { digests.contains(SearchQuery.digest(of: $0)) }
    }
}
