package import Catalogue
package import EventLoop
import JSON
package import RPC
package import SearchModel
import Upstream

/// Finds one item: the source's full record of the item, or else a known hit.
package struct ItemFinder: Sendable {
    package static let diskMax = Duration.seconds(1)

    private let loop: EventLoop
    private let loader: PageLoader
    private let cache: ResultCache
    private let tier: DiskTier?

    package init(on loop: EventLoop, loader: PageLoader, cache: ResultCache, tier: DiskTier? = nil) {
        self.loop = loop
        self.loader = loader
        self.cache = cache
        self.tier = tier
    }

    /// Returns the source's record of the item, or else the most complete known hit; throws if no hit is known.
    package func find(_ request: ItemRequest, of profile: SourceProfile?) async throws(SearchError) -> FoundItem {
        guard let profile else {
            guard let hit = await request.ownHit?() else {
                let hint = "source/list lists the sources."
                throw .notFound("the id belongs to an unknown source", in: request.source, hint: hint)
            }
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
                // With `offline`, a record that is not cached is not an error.
                if !(request.terms.offline && error.kind == .notFound) { failure = error }
            }
        }
        let cached = await knownHit(request, of: profile)
        let own = await request.ownHit?()
        let fullest = own.flatMap { $0.isFuller(than: cached) ? $0 : nil } ?? cached
        guard let fullest else { throw failure ?? .notCached(of: profile) }
        return found(fullest, request, failure)
    }

    private func found(_ hit: KnownHit, _ request: ItemRequest, _ failure: SearchError? = nil) -> FoundItem {
        let use: CacheUse = request.terms.offline ? .offline : loop.now < hit.freshUntil ? .hit : .stale
        return FoundItem(hit: hit, isFull: hit.isRecord, use: use, failure: failure)
    }

    private func record(_ request: ItemRequest, of profile: SourceProfile) async throws(SearchError) -> FoundItem {
        if let error = profile.unavailable, !request.terms.offline { throw error }
        let page = PageRequest(item: request.key)
        let need = PageNeed(
            key: PageKey(source: profile.name, request: page, edition: profile.edition),
            freshness: profile.freshness
        )
        let deadline = loop.now.advanced(by: request.terms.timeout)
        switch await loader.load(need, for: request.terms, by: deadline) {
        case .failed(let error): throw error
        case .skipped(let skip): throw skip.error
        case .loaded(let loaded):
            guard let entry = loaded.page.entries.first else {
                let message = "\(profile.name) does not have this item"
                throw .notFound(message, in: profile.name, hint: "Search for the item again.")
            }
            let hit = KnownHit(entry, of: loaded.page)
            return FoundItem(hit: hit, isFull: true, use: loaded.use, failure: loaded.failure)
        }
    }

    /// Reads the key from a known hit if the id contains only a hash of the key.
    private func unhashedKey(_ request: ItemRequest, of profile: SourceProfile) async -> ItemKey? {
        guard let keyInDocument = request.keyInDocument, HitKey.mayBeHash(request.key.text),
            let hit = await knownHit(request, of: profile)
        else { return nil }
        return keyInDocument(hit.raw)
    }

    private func knownHit(_ request: ItemRequest, of profile: SourceProfile) async -> KnownHit? {
        if let hit = cache.onLoop({ $0.knownHit(request.id, of: profile.name) }) { return hit }
        let deadline = loop.now.advanced(by: Self.diskMax)
        return await tier?.hit(request.id, of: profile.name, edition: profile.edition, by: deadline)
    }
}

extension SearchError {
    fileprivate static func notFound(_ message: String, in source: SourceName, hint: String) -> SearchError {
        SearchError(.notFound, message, source: source, retryable: false, hint: hint)
    }

    fileprivate static func notCached(of profile: SourceProfile) -> SearchError {
        let hint = profile.hasLookup ? "Look it up once without \"offline\"." : "Search for the item again."
        let reason = profile.hasLookup ? "" : ", and \(profile.name) does not support lookups"
        return notFound("the item is not cached\(reason)", in: profile.name, hint: hint)
    }
}

package struct ItemRequest: Sendable {
    package let source: SourceName
    package let id: String
    /// The key of the item, or a hash of the key if the id contains only the hash.
    package var key: ItemKey
    package var keyInDocument: (@Sendable ([UInt8]) -> ItemKey?)?
    package var ownHit: (@Sendable () async -> KnownHit?)?
    /// The conditions for loading, such as the timeout; the query is not used.
    package var terms: SearchRequest

    package init(source: SourceName, id: String, key: ItemKey) {
        self.source = source
        self.id = id
        self.key = key
        terms = SearchRequest(query: key.query, sources: [])
    }

    package init?(id: String) {
        guard id.utf8.count <= SourceName.bytesMax + 1 + HitKey.bytesMax,
            let colon = id.utf8.firstIndex(of: UInt8(ascii: ":")), let source = SourceName(String(id[..<colon]))
        else { return nil }
        let rest = String(id[id.utf8.index(after: colon)...])
        guard HitKey.isPlain(rest), let key = ItemKey(rest) else { return nil }
        self.init(source: source, id: id, key: key)
    }
}

package struct FoundItem: Sendable {
    package let hit: KnownHit
    package let isFull: Bool
    package let use: CacheUse
    package let failure: SearchError?
}

package struct KnownHit: Sendable {
    package let bytes: [UInt8]
    package let raw: [UInt8]
    package let isRecord: Bool
    package let fetchedAt: Instant
    package let freshUntil: Instant

    init(_ entry: CachedPage.Entry, of page: CachedPage) {
        bytes = Array(page.bytes[entry.range])
        raw = Array(page.raw[entry.rawRange])
        isRecord = page.key.request.item != nil
        fetchedAt = page.fetchedAt
        freshUntil = page.freshUntil
    }

    package init(_ bytes: [UInt8], fetchedAt: Instant) {
        self.bytes = bytes
        (raw, isRecord) = ([], false)
        (self.fetchedAt, freshUntil) = (fetchedAt, fetchedAt)
    }

    func isFuller(than other: KnownHit?) -> Bool {
        guard let other else { return true }
        guard isRecord == other.isRecord else { return isRecord }
        return (bytes.count, fetchedAt) > (other.bytes.count, other.fetchedAt)
    }
}

extension CachedPage {
    func knownHit(_ id: String) -> KnownHit? {
        entries.first { $0.id.hasSameBytes(as: id) }.map { KnownHit($0, of: self) }
    }
}

extension ResultCache {
    /// Checking this many hits takes about one millisecond.
    package static let knownHitsMax = 50_000

    func knownHit(_ id: String, of source: SourceName) -> KnownHit? {
        var found: KnownHit?
        var left = Self.knownHitsMax
        for page in pages(of: source).sorted(by: { $0.fetchedAt > $1.fetchedAt }) {
            left -= page.entries.count
            guard left >= 0 else { break }
            if let hit = page.knownHit(id), hit.isFuller(than: found) { found = hit }
        }
        return found
    }
}
