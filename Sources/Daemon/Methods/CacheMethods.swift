import Catalogue
import Engine
import EventLoop
import JSON
import RPC
import SearchModel

/// How the shared cache is doing.
struct CacheStatsMethod: Method {
    let cache: ResultCache
    let disk: DiskTier?

    let description = MethodDescription.cacheStats

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        // The cache lives on this loop, and a method begins on it.
        let figures = cache.onLoop { $0.figures }
        return .answered(.writing { writer in writer.object { $0.cache(figures, disk?.figures) } })
    }
}

/// Removes what is in the shared cache, or a part of it.
///
/// All users have to ask for it again, at the cost of the quotas that they share: so it is for administrators.
struct CacheClearMethod: Method {
    let cache: ResultCache
    let disk: DiskTier?
    let directory: DirectoryBox

    let description = MethodDescription.cacheClear
    let permission = MethodPermission.administrators

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        var parameters = try Parameters(call.params)
        var selection = PageSelection(source: try parameters.string(.source))
        selection.query = try parameters.string(.query).map { text throws(SearchError) in
            guard let query = SearchQuery(text) else {
                throw parameters.mismatch(.query, "1 to \(SearchQuery.bytesMax) bytes")
            }
            return query
        }
        try parameters.finish()
        if let source = selection.source { selection.source = try pattern(source) }
        // The cache lives on this loop, and a method begins on it.
        let removed = cache.onLoop { $0.clear(selection) }
        guard let disk else { return .answered(Self.reply(removed)) }
        return .running(channel: nil) { [selection] _ in
            // A page is on disk, in memory or in both.
            Self.reply(max(removed, await disk.remove(selection)))
        }
    }

    private static func reply(_ removed: Int) -> Reply {
        .writing { writer in writer.object { $0.member(.removed, removed) } }
    }

    /// The pattern that a name, a glob or an account stands for; anything that stands for no source is refused.
    ///
    /// A source that can't be asked may well have pages.
    private func pattern(_ source: String) throws(SearchError) -> String {
        do throws(SearchError) {
            _ = try directory.current.choose([source], kinds: nil)
        } catch  where error.kind == .unknownSource {
            var located = error
            located.path = "params.source"
            throw located
        } catch {}
        switch SourceSelector(source) {
        case .account(let account): return "\(account).*"
        case .source, .glob: return source
        case .profile, .edition, nil:
            throw Parameters.invalid("params.source", "is a profile", hint: "Name a source, a pattern or an account.")
        }
    }
}
