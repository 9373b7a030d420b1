import Client
import JSON
import RPC
import SearchModel

/// The search that the user has chosen: the order, the kinds and the sources.
struct LiveSearch: Equatable {
    private static let channel = "live"
    /// Later pages are larger, to save calls.
    private static let firstLimit = 30
    private static let moreLimit = 100
    private static let timeoutMilliseconds = 5000

    var sort = Sort.relevance
    var kinds: [String] = []
    /// Sources, accounts and profiles.
    ///
    /// An empty array means the default sources.
    var sources: [String] = []
    var isOffline = false

    /// What a `search` request is for.
    enum Use {
        case first(isFresh: Bool)
        case more(cursor: String)
        /// Repeats a search to record it in the history.
        case history
    }

    func params(_ typed: TypedQuery, _ use: Use) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.query, typed.query?.text ?? "")
            let asked = isOffline && sources.isEmpty ? ["@default", "library", "seen"] : sources
            if !asked.isEmpty { writer.member(.sources, asked) }
            writer.member(.offline, isOffline ? true : nil)
            if !kinds.isEmpty { writer.member(.kinds, kinds) }
            writer.member(.sort, sort == .relevance ? nil : sort.rawValue)
            typed.writeFilter(to: &writer)
            switch use {
            case .history:
                writer.member(.limit, Self.firstLimit)
                return writer.member(.history, true)
            case .first(let isFresh):
                writer.member(.limit, Self.firstLimit)
                writer.member(.maxAge, isFresh ? 0 : nil)
            case .more(let cursor):
                writer.member(.cursor, cursor)
                writer.member(.limit, Self.moreLimit)
            }
            writer.member(.stream, true)
            writer.member(.progress, true)
            writer.member(.timeout, Self.timeoutMilliseconds)
            writer.member(.channel, Self.channel)
        }
    }

    var choices: String {
        let order: String =
            switch sort {
            case .relevance: ""
            case .recency: "newest first"
            case .title: "by title"
            }
        let parts = [isOffline ? "only this machine" : "", order, NumberText.names(sources), NumberText.names(kinds)]
        return VisibleText.visible(parts.filter { !$0.isEmpty }.joined(separator: " · "))
    }
}

enum LibrarySort: String, CaseIterable {
    case saved, published, title, rating

    private static let limit = 200

    func params(_ text: String, kinds: [String], cursor: String? = nil, count: Int = 0) -> [UInt8] {
        JSONWriter.bytes { writer in
            let query = SearchQuery(text)?.text
            writer.member(.query, query)
            if !kinds.isEmpty { writer.member(.kinds, kinds) }
            if self != .saved || query == nil { writer.member(.sort, rawValue) }
            writer.member(.cursor, cursor)
            writer.member(.limit, min(max(Self.limit, count), WireBounds.limit.upperBound))
        }
    }

    func label(_ text: String) -> String {
        switch self {
        case .saved: SearchQuery(text) == nil ? "newest saved items first" : "best match first"
        case .published: "newest publications first"
        case .title: "by title"
        case .rating: "best rating first"
        }
    }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
    var next: Self {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
