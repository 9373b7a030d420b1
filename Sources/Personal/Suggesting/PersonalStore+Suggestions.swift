import EventLoop
import Hangul
import JSON
package import SearchModel
import Storage

/// What can be suggested to a user.
extension PersonalStore {
    /// What is read at a time, so that others' changes need not wait for all of it.
    private static let rowsMax = 1000
    /// Fewer than an index takes, so that there is room for what comes.
    private static let loadedMax = SuggestionIndex.entriesMax * 7 / 8

    /// An index of the latest queries, saved titles and titles that searches have brought, in this order.
    ///
    /// The queries are those that were recorded before the call.
    package func suggestions(_ settings: HistorySettings) async throws(SearchError) -> SuggestionIndex {
        guard hasFile else { return SuggestionIndex() }
        let oldest = oldest(settings)
        // It is changed where it is, not in a copy.
        let reading = Locked(
            try await use { tables throws(StorageError) in
                try SuggestionTable(database: tables.database).queries(since: oldest, countMax: Self.loadedMax)
            }
        )
        for part in [SuggestionTable.Part.saved, .seen] {
            let position = Locked(SuggestionTable.Position(oldest: oldest))
            var isMore = true
            while isMore {
                isMore = try await use { tables throws(StorageError) in
                    let table = SuggestionTable(database: tables.database)
                    let (count, isFull) = try reading.withLock { builder throws(StorageError) in
                        let count = try position.withLock { position throws(StorageError) in
                            try table.addTitles(part, to: &builder, from: &position, countMax: Self.rowsMax)
                        }
                        return (count, builder.count >= Self.loadedMax)
                    }
                    return count == Self.rowsMax && !isFull
                }
            }
        }
        return try await use { _ throws(StorageError) in reading.withLock { $0 }.finish() }
    }
}

/// Reads what can be suggested; used by a user's store only.
struct SuggestionTable {
    /// Titles that are read.
    enum Part {
        case saved
        case seen
    }

    /// How far reading has come: the latest first.
    struct Position {
        /// Of titles that searches have brought.
        let oldest: Int64
        fileprivate var at = Int64.max
        fileprivate var number = Int64.max

        init(oldest: Int64) {
            self.oldest = oldest
        }
    }

    let database: Database

    func queries(since instant: Int64, countMax: Int) throws(StorageError) -> SuggestionIndex.Builder {
        var found: Set<Int64> = []
        try database.run("SELECT DISTINCT query FROM seenBy") { row throws(StorageError) in
            found.insert(row.integer(0))
        }
        var builder = SuggestionIndex.Builder()
        try database.run(
            "SELECT query, at, count FROM history WHERE at >= ? ORDER BY at DESC LIMIT ?",
            .integer(instant),
            .integer(countMax)
        ) { row throws(StorageError) in
            let text = row.text(0)
            builder.add(
                Suggestion(text, .history, count: Int(row.integer(2)), at: row.integer(1)),
                hasFound: found.contains(SearchQuery.digest(of: text))
            )
        }
        return builder
    }

    /// Adds the next titles; how many rows there were.
    func addTitles(
        _ part: Part,
        to builder: inout SuggestionIndex.Builder,
        from position: inout Position,
        countMax: Int
    ) throws(StorageError) -> Int {
        let statement: StaticString =
            switch part {
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
        var count = 0
        try database.run(
            statement,
            .integer(position.at),
            .integer(position.number),
            .integer(position.oldest),
            .integer(countMax)
        ) { row throws(StorageError) in
            count += 1
            (position.number, position.at) = (row.integer(0), row.integer(1))
            guard let title = (try? JSONDocument(row.blob(2)))?.root[.title]?.string else { return }
            let suggestion =
                switch part {
                case .saved: Suggestion(title: title, .saved, at: row.integer(1) * 1000)
                case .seen: Suggestion(title: title, .title, count: Int(row.integer(3)), at: row.integer(1))
                }
            builder.add(suggestion)
        }
        return count
    }
}

extension Suggestion {
    /// A title as someone would type it.
    package init(title: String, _ kind: Kind, count: Int = 1, at: Int64) {
        self.init(NormalForm.line(title), kind, count: count, at: at)
    }
}
