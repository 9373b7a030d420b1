import Client
import JSON
import RPC
import SearchModel

/// The order, kinds and sources that the user chose.
struct LiveSearch: Equatable {
    private static let channel = "live"
    /// Fills the screen; later pages are larger, because that costs fewer calls.
    private static let firstLimit = 30
    private static let moreLimit = 100
    /// Hits are shown as they arrive; only their final order waits for all sources.
    private static let timeoutMilliseconds = 5000

    var sort = Sort.relevance
    /// Empty for all kinds.
    var kinds: [String] = []
    /// Sources, accounts and profiles; empty for the default sources.
    var sources: [String] = []
    /// Whether to search only this machine: the cache, the library and `seen`.
    var isOffline = false

    /// The purpose of a request.
    enum Use {
        /// The first page; `isFresh` ignores cached answers.
        case first(isFresh: Bool)
        case more(cursor: String)
        /// Records a search in the history.
        case history
    }

    /// Returns the parameters of a search as JSON.
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

    /// `newest first · @books · book, blog`; empty for the defaults.
    var choices: String {
        let order: String =
            switch sort {
            case .relevance: ""
            case .recency: "newest first"
            case .title: "by title"
            }
        let parts = [isOffline ? "only this machine" : "", order, FigureText.names(sources), FigureText.names(kinds)]
        return VisibleText.visible(parts.filter { !$0.isEmpty }.joined(separator: " · "))
    }
}

/// The order of the library.
enum LibrarySort: String, CaseIterable {
    case saved, published, title, rating

    private static let limit = 200

    /// Returns the parameters of a page of at least `count` items, as JSON.
    func params(_ text: String, kinds: [String], cursor: String? = nil, count: Int = 0) -> [UInt8] {
        JSONWriter.bytes { writer in
            let query = SearchQuery(text)?.text
            writer.member(.query, query)
            if !kinds.isEmpty { writer.member(.kinds, kinds) }
            // The default of a query is the best match first.
            if self != .saved || query == nil { writer.member(.sort, rawValue) }
            writer.member(.cursor, cursor)
            writer.member(.limit, min(max(Self.limit, count), WireBounds.limit.upperBound))
        }
    }

    func label(_ text: String) -> String {
        switch self {
        case .saved: SearchQuery(text) == nil ? "latest first" : "best match first"
        case .published: "newest first"
        case .title: "by title"
        case .rating: "best rating first"
        }
    }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
    /// The next case; the first one after the last.
    var next: Self {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
