import EventLoop
import JSON
import Personal
import RPC
import SearchModel

/// What a user searched, the latest first.
struct HistoryListMethod: Method {
    let description = MethodDescription.historyList
    let permission = MethodPermission.ownData
    let capabilities = ["history"]
    let data: PersonalData

    private static let entryBytes = SearchQuery.bytesMax

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        var parameters = try Parameters(call.params)
        var query = HistoryQuery()
        query.prefix = try parameters.string(.prefix).flatMap(LibraryQuery.words)
        query.limit = try parameters.integer(.limit, in: WireBounds.limit) ?? WireBounds.historyLimitDefault
        query.before = try parameters.milliseconds(.before)
        try parameters.finish()
        return .running(channel: nil, memory: query.limit * Self.entryBytes) { [query] _ throws(SearchError) in
            let entries = try await user.use { _ throws(SearchError) in try await user.history.entries(query) }
            return .writing { writer in
                writer.object { writer in
                    writer.array(.entries) { writer in
                        for entry in entries { writer.value(entry.json) }
                    }
                }
            }
        }
    }
}

/// Removes what a user searched, or a part of it, without a trace.
struct HistoryClearMethod: Method {
    let description = MethodDescription.historyClear
    let permission = MethodPermission.ownData
    let data: PersonalData

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        let selection = try Self.selection(call.params)
        return .running(channel: nil) { _ throws(SearchError) in
            let removed = try await user.use { _ throws(SearchError) in try await user.history.clear(selection) }
            user.suggestions.drop()
            return .writing { writer in writer.object { $0.member(.removed, removed) } }
        }
    }

    private static func selection(_ params: JSONCursor?) throws(SearchError) -> HistorySelection {
        var parameters = try Parameters(params)
        let text = try parameters.string(.query)
        let since = try parameters.milliseconds(.since)
        try parameters.finish()
        switch (text, since) {
        case (nil, nil): return .all
        // Entries say in which second a search came.
        case (nil, let since?): return .since(since / 1000 * 1000)
        case (let text?, nil):
            guard let query = SearchQuery(text) else {
                throw parameters.mismatch(.query, "1 to \(SearchQuery.bytesMax) bytes")
            }
            return .query(query)
        case (_?, _?):
            throw Parameters.invalid(
                "params.since",
                "\"query\" and \"since\" exclude each other",
                hint: "Give one of them, or nothing to clear all."
            )
        }
    }
}

extension Parameters {
    /// An instant, or the beginning of a date in UTC, in milliseconds since 1970.
    fileprivate mutating func milliseconds(_ name: Member) throws(SearchError) -> Int64? {
        guard let text = try string(name) else { return nil }
        if let instant = Milliseconds.read(text) ?? Milliseconds.read(text + "T00:00:00Z") { return instant }
        throw mismatch(name, "a date as 2024-03-09, or an instant as 2024-03-09T11:51:51.123Z")
    }
}
