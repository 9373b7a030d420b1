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
/// What one user clears, all others have to ask for again, at the cost of the quotas that they share: so a user who is
/// no administrator clears only what no other user has been given.
struct CacheClearMethod: Method {
    let cache: ResultCache
    let disk: DiskTier?
    let directory: DirectoryBox

    let description = MethodDescription.cacheClear

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
        guard call.isAdministrator else { return try clearOwn(selection, call) }
        // The cache lives on this loop, and a method begins on it.
        let removed = cache.onLoop { $0.clear(selection) }
        guard let disk else { return .answered(Self.reply(removed)) }
        return .running(channel: nil) { [selection] _ in
            // A page is on disk, in memory or in both.
            Self.reply(max(removed, await disk.remove(selection)))
        }
    }

    /// Clears what is in memory that only this user has been given, there and on disk.
    ///
    /// A page that is on disk alone stays: nothing tells there who has been given it.
    private func clearOwn(_ selection: PageSelection, _ call: Call) throws(SearchError) -> Beginning {
        let peer = call.session.peer
        guard call.permissions.refusal(of: .ownData, to: peer, groups: { [] }) == nil else { throw Self.usersUnknown }
        let (removed, kept) = cache.onLoop { $0.clear(of: peer.userID, where: selection.contains) }
        guard !removed.isEmpty || kept.isEmpty else { throw Self.usedByOthers }
        guard let disk, !removed.isEmpty else { return .answered(Self.reply(removed.count)) }
        return .running(channel: nil) { _ in
            await disk.remove(removed)
            return Self.reply(removed.count)
        }
    }

    private static let usedByOthers = SearchError(
        .forbidden,
        "only root, the daemon's own user and the members of its adminGroup may clear what other users have asked for",
        retryable: false,
        hint: "Run “sudo searchctl cache clear”, or get new results yourself with “searchctl search --fresh”."
    )

    private static let usersUnknown = SearchError(
        .forbidden,
        "only root and the daemon's own user may clear the cache, since the kernel shows all others as one",
        retryable: false,
        hint: "Run “sudo searchctl cache clear”, or get new results yourself with “searchctl search --fresh”."
    )

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
