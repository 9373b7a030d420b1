import Engine
import EventLoop
import JSON
import RPC
import SearchModel
import Storage

/// How the shared cache is doing.
struct CacheStatsMethod: Method {
    let cache: ResultCache
    let disk: DiskTier?

    let description = MethodDescription.cacheStats

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        // The cache lives on this loop, and a method begins on it.
        let figures = cache.onLoop { $0.figures }
        return .answered(
            .writing { writer in
                writer.object { writer in
                    Self.write(figures, disk?.figures, to: &writer)
                }
            }
        )
    }

    /// The figures of both tiers, as `server/stats` has them too.
    static func write(_ figures: ResultCache.Figures, _ disk: PageArchive.Figures?, to writer: inout JSONWriter) {
        writer.member("entries", figures.entries)
        writer.member("bytes", figures.bytes)
        writer.member("limit", figures.limit)
        writer.member("hits", figures.hits)
        writer.member("misses", figures.misses)
        writer.member("stale", figures.stale)
        writer.member("evictions", figures.evictions)
        writer.name("disk")
        writer.object { writer in
            guard let disk else { return }
            writer.member("entries", disk.entries)
            writer.member("bytes", disk.bytes)
            writer.member("limit", disk.limit)
            writer.member("hits", disk.hits)
            writer.member("misses", disk.misses)
            writer.member("evictions", disk.evictions)
            writer.member("dropped", disk.dropped)
        }
    }
}

/// Forgets what is in the shared cache, or a part of it.
struct CacheClearMethod: Method {
    let cache: ResultCache
    let disk: DiskTier?
    let directory: DirectoryBox

    /// What one user clears, all others have to ask for again, at the cost of the quotas that they share.
    let permission = MethodPermission.administrators
    let description = MethodDescription.cacheClear

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        var parameters = try Parameters(call.params)
        var selection = PageSelection(source: try parameters.string("source"))
        selection.query = try parameters.string("query").map { text throws(SearchError) in
            guard let query = SearchQuery(text) else {
                throw parameters.mismatch("query", "1 to \(SearchQuery.bytesMax) bytes")
            }
            return query
        }
        try parameters.finish()
        if let source = selection.source { try check(source) }
        // The cache lives on this loop, and a method begins on it.
        let removed = cache.onLoop { $0.clear(selection) }
        guard let disk else { return .answered(Self.reply(removed)) }
        return .running(channel: nil) { [selection] _ in
            // A page is on disk, in memory or in both.
            Self.reply(max(removed, await disk.remove(selection)))
        }
    }

    private static func reply(_ removed: Int) -> Reply {
        .writing { writer in writer.object { $0.member("removed", removed) } }
    }

    /// Refuses what stands for no source; one that can't be asked may well have pages.
    private func check(_ source: String) throws(SearchError) {
        do throws(SearchError) {
            _ = try directory.current.choose([source], kinds: nil)
        } catch  where error.kind == .unknownSource {
            var located = error
            located.path = "params.source"
            throw located
        } catch {}
    }
}
