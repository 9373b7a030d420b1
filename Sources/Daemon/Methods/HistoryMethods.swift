import EventLoop
import JSON
import Personal
import RPC
import SearchModel

/// The methods `history/…` and `search/suggest`, which use a user's earlier searches.
struct HistoryMethods {
    let data: PersonalData

    var all: [Method] {
        [suggest, list, clear]
    }

    private var suggest: Method {
        Method(.suggest, for: .ownData, capabilities: ["suggest"]) { [data] call, parameters throws(SearchError) in
            let user = try data.user(of: call)
            let prefix = try parameters.requiredString(.prefix)
            guard prefix.utf8.count <= SearchQuery.bytesMax else {
                throw parameters.mismatch(.prefix, "a text of at most \(SearchQuery.bytesMax) bytes")
            }
            let limit = try parameters.integer(.limit, in: WireBounds.limit) ?? WireBounds.suggestLimitDefault
            try parameters.finish()
            if let found = user.suggestions.known(for: prefix, limit: limit) { return .answered(Self.reply(found)) }
            return .running(channel: nil) { _ throws(SearchError) in
                let found = try await user.use { _ throws(SearchError) in
                    try await user.suggestions.find(prefix, limit: limit)
                }
                return Self.reply(found)
            }
        }
    }

    private static func reply(_ suggestions: [Suggestion]) -> Reply {
        .object { writer in
            writer.array(.suggestions) { writer in
                for suggestion in suggestions {
                    writer.object { writer in
                        writer.member(.text, suggestion.text)
                        writer.member(.kind, suggestion.kind.rawValue)
                        writer.member(.count, suggestion.count)
                        writer.member(.at, RFC3339.preciseText(suggestion.at))
                    }
                }
            }
        }
    }

    private var list: Method {
        let memory = WireBounds.limit.upperBound * SearchQuery.bytesMax
        return Method(.historyList, on: data, capabilities: ["history"], memory: memory) {
            _,
            user,
            parameters throws(SearchError) in
            var query = HistoryQuery()
            query.prefix = try parameters.string(.prefix).flatMap(LibraryQuery.words)
            query.limit = try parameters.integer(.limit, in: WireBounds.limit) ?? WireBounds.historyLimitDefault
            query.before = try parameters.milliseconds(.before)
            return { [query] _, _ throws(SearchError) in
                let entries = try await user.history.entries(query)
                return .object { writer in
                    writer.array(.entries) { writer in for entry in entries { writer.value(entry.json) } }
                }
            }
        }
    }

    private var clear: Method {
        Method(.historyClear, on: data) { _, user, parameters throws(SearchError) in
            let selection = try Self.selection(&parameters)
            return { _, _ throws(SearchError) in
                let removed = try await user.history.clear(selection)
                user.suggestions.drop()
                return .object { $0.member(.removed, removed) }
            }
        }
    }

    private static func selection(_ parameters: inout Parameters) throws(SearchError) -> HistorySelection {
        switch (try parameters.query(.query), try parameters.milliseconds(.since)) {
        case (nil, nil): return .all
        // Searches are recorded with whole seconds, so the milliseconds of `since` are dropped.
        case (nil, let since?): return .since(since / 1000 * 1000)
        case (let query?, nil): return .query(query)
        case (_?, _?):
            throw Parameters.invalid(
                "params.since",
                "\"query\" and \"since\" can't be combined",
                hint: "Give only one of them. If both are missing, the whole history is cleared."
            )
        }
    }
}

extension Parameters {
    /// Returns milliseconds since 1970.
    ///
    /// For a date, returns the start of the day in UTC.
    fileprivate mutating func milliseconds(_ name: Member) throws(SearchError) -> Int64? {
        guard let text = try string(name) else { return nil }
        for spelling in [text, text + "T00:00:00Z"] {
            if let instant = RFC3339.epochMilliseconds(spelling) { return instant }
        }
        throw mismatch(name, "a date such as 2024-03-09, or a time such as 2024-03-09T11:51:51.123Z")
    }
}
