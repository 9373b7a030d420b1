import Catalogue
package import EventLoop
import SearchModel
package import Storage
package import Upstream

/// Keeps cached pages on disk; times in the file are wall clock times.
package actor DiskTier: LoopActor {
    package static let lookupMax = Duration.milliseconds(250)
    /// With more simultaneous lookups, the disk is too slow to help.
    private static let lookupsMax = 512
    /// A search for a hit reads at most this many pages of the source, the latest first.
    package static let pagesSearchedMax = 200

    package nonisolated let loop: EventLoop
    private let archive: PageArchive
    private let isCurrent: @Sendable (PageKey) -> Bool
    private let wallClock: @Sendable () -> Int64
    private let lookups: InFlight<PageKey, CachedPage?>
    /// Counts removals of pages; a lookup during a removal returns nil.
    private var generation = 0

    /// `loop` is the loop of the memory cache; `wallClock` returns nanoseconds since 1970.
    package init(
        on loop: EventLoop,
        archive: PageArchive,
        isCurrent: @escaping @Sendable (PageKey) -> Bool,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        (self.loop, self.archive, self.isCurrent, self.wallClock) = (loop, archive, isCurrent, wallClock)
        lookups = InFlight(on: loop, flightsMax: Self.lookupsMax)
    }

    package nonisolated var figures: PageArchive.Figures { archive.figures }

    func get(_ key: PageKey, by deadline: Instant) async -> CachedPage? {
        guard !archive.isMissing(PageCodec.bytes(of: key)) else { return nil }
        let begun = generation
        let late = SearchError(.timeout, "the cache on disk took too long")
        let end = min(deadline, loop.now.advanced(by: Self.lookupMax))
        let shared = await lookups.value(
            for: key,
            refresh: false,
            caller: CallDemand.Caller(),
            until: end,
            late: late
        ) { [self] _, _ in
            .success(await archive.page(PageCodec.bytes(of: key)) { self.page($0, key) })
        }
        guard begun == generation, case .success(let page) = shared.outcome else { return nil }
        return page
    }

    func hit(_ id: String, of source: SourceName, edition: UInt32, by deadline: Instant) async -> KnownHit? {
        // The storage thread reads one page at a time, so that other requests are not delayed.
        for key in await archive.keys(of: source.text, limit: Self.pagesSearchedMax) {
            guard loop.now < deadline, !Task.isCancelled else { break }
            let hit = await archive.peek(key) { found -> KnownHit? in
                guard let query = SearchQuery(found.query) else { return nil }
                let key = PageKey(source: source, request: PageRequest(query: query), edition: edition)
                return self.page(found, key)?.knownHit(id)
            }
            if let hit { return hit }
        }
        return nil
    }

    nonisolated func put(_ page: CachedPage, until expiry: Instant) {
        guard expiry > loop.now, isCurrent(page.key) else { return }
        let (now, wall) = (loop.now, Instant(nanoseconds: wallClock()))
        let archived = ArchivedPage(
            key: PageCodec.bytes(of: page.key),
            source: page.key.source.text,
            query: page.key.request.query.text,
            fetchedAt: wall.advanced(by: now.duration(to: page.fetchedAt)).nanoseconds,
            freshUntil: wall.advanced(by: now.duration(to: page.freshUntil)).nanoseconds
        )
        archive.put(archived, size: page.bytesUsed) { PageCodec.bytes(of: page) }
    }

    /// If the wall clock was set back, the page counts as new.
    private nonisolated func page(_ found: ArchivedPage, _ key: PageKey) -> CachedPage? {
        let written = Instant(nanoseconds: found.fetchedAt)
        let age = max(.zero, written.duration(to: Instant(nanoseconds: wallClock())))
        let life = max(.zero, written.duration(to: Instant(nanoseconds: found.freshUntil)))
        let fetchedAt = loop.now.advanced(by: .zero - age)
        return PageCodec.page(found.bytes, key: key, fetchedAt: fetchedAt, freshUntil: fetchedAt.advanced(by: life))
    }

    package func remove(_ selection: PageSelection) async -> Int {
        generation += 1
        return await archive.removeAll { selection.contains(source: $0.source, query: $0.query) }
    }

    package func close() async {
        await archive.close()
    }
}
