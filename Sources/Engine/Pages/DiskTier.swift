import Catalogue
package import EventLoop
import JSON
package import SearchModel
package import Storage
package import Upstream

/// The pages on disk, which outlive the daemon; looked up off the loop.
///
/// Simultaneous lookups of one page are one. Its times are this run's: the file's go by the wall clock.
package actor DiskTier: LoopActor, PageTier {
    /// How long a caller waits for the disk, which is to be faster than a source.
    package static let lookupMax = Duration.milliseconds(250)
    /// More than that, and the disk is too slow to help.
    private static let lookupsMax = 512
    private static let waitersMax = 65_536
    /// How many pages of a source are looked through for a hit, those used last first.
    package static let pagesLookedThroughMax = 200

    package nonisolated let loop: EventLoop
    private let archive: PageArchive
    private let isCurrent: @Sendable (PageKey) -> Bool
    private let wallClock: @Sendable () -> Int64
    private let lookups: InFlight<PageKey, CachedPage?>
    /// Grows when pages are cleared: what was read before is not to come back.
    private var generation = 0

    /// - Parameters:
    ///   - loop: The actor's executor: the cache's, not storage's.
    ///   - archive: The file.
    ///   - isCurrent: Whether the source of a page has not been removed, or replaced in a reload: pages of the two are
    ///     not mixed.
    ///   - wallClock: Nanoseconds since 1970, as the archive has them.
    package init(
        on loop: EventLoop,
        archive: PageArchive,
        isCurrent: @escaping @Sendable (PageKey) -> Bool,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.loop = loop
        self.archive = archive
        self.isCurrent = isCurrent
        self.wallClock = wallClock
        lookups = InFlight(on: loop, flightsMax: Self.lookupsMax)
    }

    package nonisolated var figures: PageArchive.Figures { archive.figures }

    package func get(_ key: PageKey, by deadline: Instant, looksTwice: Bool = false) async -> CachedPage? {
        guard looksTwice || !archive.isMissing(PageCodec.bytes(of: key)) else { return nil }
        let begun = generation
        let late = SearchError(.timeout, "the cache on disk took too long")
        let end = min(deadline, loop.now.advanced(by: Self.lookupMax))
        let shared = await lookups.value(
            for: key,
            refresh: false,
            deadline: InFlight.Deadline(instant: end, error: late)
        ) { [self] _, _ in
            .success(await read(key))
        }
        // Meanwhile pages may have been cleared.
        guard begun == generation, case .success(let page) = shared.outcome else { return nil }
        return page
    }

    private nonisolated func read(_ key: PageKey) async -> CachedPage? {
        let times = PageTimes(now: loop.now, wall: wallClock())
        return await archive.page(PageCodec.bytes(of: key)) { found in
            let fetchedAt = times.instant(fetchedAt: found.fetchedAt)
            return PageCodec.page(
                found.bytes,
                key: key,
                fetchedAt: fetchedAt,
                freshUntil: times.instant(freshUntil: found.freshUntil, fetchedAt: found.fetchedAt),
                content: found.content
            )
        }
    }

    package func hit(
        _ id: String,
        of source: SourceName,
        edition: UInt32,
        by deadline: Instant
    ) async -> KnownHit? {
        let times = PageTimes(now: loop.now, wall: wallClock())
        // One page a turn of storage's thread, so that what must last waits for no more than one.
        for key in await archive.keys(of: source.text, limit: Self.pagesLookedThroughMax) {
            guard loop.now < deadline, !Task.isCancelled else { break }
            let hit = await archive.peek(key) { found -> KnownHit? in
                guard let query = SearchQuery(found.query) else { return nil }
                let key = PageKey(source: source, request: PageRequest(query: query), edition: edition)
                let page = PageCodec.page(
                    found.bytes,
                    key: key,
                    fetchedAt: times.instant(fetchedAt: found.fetchedAt),
                    freshUntil: times.instant(freshUntil: found.freshUntil, fetchedAt: found.fetchedAt)
                )
                return page?.knownHit(id)
            }
            if let hit { return hit }
        }
        return nil
    }

    /// Puts a page on its way to the disk, where the least used are evicted, expired or not.
    package nonisolated func put(_ page: CachedPage, until expiry: Instant) {
        guard expiry > loop.now, isCurrent(page.key) else { return }
        let times = PageTimes(now: loop.now, wall: wallClock())
        let key = page.key
        let archived = ArchivedPage(
            key: PageCodec.bytes(of: key),
            source: key.source.text,
            query: key.request.query.text,
            fetchedAt: times.wall(at: page.fetchedAt),
            freshUntil: times.wall(at: page.freshUntil),
            content: page.content
        )
        archive.put(archived, size: page.bytesUsed) { PageCodec.bytes(of: page) }
    }

    package func remove(_ selection: PageSelection) async -> Int {
        generation += 1
        return await archive.removeAll { page in
            if let query = selection.query, !query.text.hasSameBytes(as: page.query) { return false }
            return selection.source.map { Glob.matches(page.source, $0) } ?? true
        }
    }

    /// Writes what is on its way, and lets go of the file.
    package func close() async {
        await archive.close()
    }
}
