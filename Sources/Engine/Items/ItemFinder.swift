import Catalogue
package import EventLoop
import RPC
package import SearchModel
import Upstream

/// Finds one item: its source's own record, through the cache, flights and limits of a page of hits; else the hit as
/// this machine knows it.
package struct ItemFinder: Sendable {
    /// How long the disk is searched for a hit.
    package static let diskMax = Duration.seconds(1)

    private let loop: EventLoop
    private let loader: PageLoader
    private let cache: ResultCache
    private let tier: (any PageTier)?

    /// All of them live on the loop, where it is to be used.
    package init(on loop: EventLoop, loader: PageLoader, cache: ResultCache, tier: (any PageTier)? = nil) {
        self.loop = loop
        self.loader = loader
        self.cache = cache
        self.tier = tier
    }

    /// What is known of an item.
    ///
    /// - Parameters:
    ///   - request: The item, and on which terms its source is asked.
    ///   - profile: Of its source; nil when that is none of this daemon's.
    /// - Returns: The source's own record, a stale one also when the source fails; without one, for whatever reason,
    ///   the hit as it is known here, and the reason.
    /// - Throws: The reason when the hit is not known here either.
    package func find(_ request: ItemRequest, of profile: SourceProfile?) async throws(SearchError) -> FoundItem {
        guard let profile else {
            guard let hit = await request.ownHit?() else { throw .noSource(request.source) }
            return found(hit, request)
        }
        var request = request
        var failure: SearchError?
        if profile.hasLookup {
            if let key = await unhashedKey(request, of: profile) { request.key = key }
            do throws(SearchError) {
                return try await record(request, of: profile)
            } catch {
                if Task.isCancelled { throw .cancelled }
                // That nothing is cached is no failure for a caller who is offline.
                if !(request.offline && error.kind == .notFound) { failure = error }
            }
        }
        let cached = await knownHit(request, of: profile)
        let own = await request.ownHit?()
        let fullest = own.flatMap { $0.isFuller(than: cached) ? $0 : nil } ?? cached
        guard let fullest else { throw failure ?? .unknown(request, of: profile) }
        return found(fullest, request, failure)
    }

    private func found(_ hit: KnownHit, _ request: ItemRequest, _ failure: SearchError? = nil) -> FoundItem {
        let use: CacheUse = request.offline ? .offline : loop.now < hit.freshUntil ? .hit : .stale
        return FoundItem(hit: hit, isFull: hit.isRecord, use: use, failure: failure)
    }

    private func record(_ request: ItemRequest, of profile: SourceProfile) async throws(SearchError) -> FoundItem {
        if let error = profile.unavailable, !request.offline { throw error }
        let page = PageRequest(item: request.key)
        let need = PageNeed(
            key: PageKey(source: profile.name, request: page, edition: profile.edition),
            freshness: profile.freshness
        )
        let deadline = loop.now.advanced(by: request.timeout)
        switch await loader.load(need, for: request.terms, by: deadline) {
        case .failed(let error): throw error
        case .skipped(let skip): throw skip.error
        case .loaded(let loaded):
            guard let entry = loaded.page.entries.first else { throw .unknown(request, of: profile) }
            let hit = KnownHit(entry, of: loaded.page)
            return FoundItem(hit: hit, isFull: true, use: loaded.use, failure: loaded.failure)
        }
    }

    /// The key that the id has only the hash of, when the hit is known here.
    private func unhashedKey(_ request: ItemRequest, of profile: SourceProfile) async -> ItemKey? {
        guard let keyInDocument = request.keyInDocument, HitKey.mayBeHash(request.key.text),
            let hit = await knownHit(request, of: profile)
        else { return nil }
        return keyInDocument(hit.raw)
    }

    private func knownHit(_ request: ItemRequest, of profile: SourceProfile) async -> KnownHit? {
        // The cache lives on this loop.
        if let hit = cache.onLoop({ $0.knownHit(request.id, of: profile.name) }) { return hit }
        let deadline = loop.now.advanced(by: Self.diskMax)
        return await tier?.hit(request.id, of: profile.name, edition: profile.edition, by: deadline)
    }
}

extension SearchError {
    /// For an item of a source that this daemon doesn't have, which it doesn't know otherwise.
    fileprivate static func noSource(_ source: SourceName) -> SearchError {
        SearchError(
            .notFound,
            "the id is of a source that is not here",
            source: source,
            retryable: false,
            hint: "“searchctl sources” lists those that are."
        )
    }

    /// For an item that nothing here knows.
    fileprivate static func unknown(_ request: ItemRequest, of profile: SourceProfile) -> SearchError {
        SearchError(
            .notFound,
            "nothing on this machine has this item"
                + (profile.hasLookup ? "" : ", and \(profile.name) can't be asked for a single one"),
            source: profile.name,
            retryable: false,
            hint: profile.hasLookup ? "Look it up without offline once." : "Search for it again."
        )
    }
}
