import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import Storage
import TestSupport
import Testing

@testable import Engine

@Suite struct FederationDiskTests {
    private static let ttl = Duration.seconds(600)

    /// Call n returns the hit n + 100, but call `first` and all later calls fail.
    private static func world(on loop: EventLoop, _ disk: DiskTier?, failingFrom first: Int = .max) -> World {
        World(on: loop, disk: disk) { _, call in
            call >= first ? .failure(.unavailable) : .page(page("a.one", [call + 100], isEnd: true))
        }
    }

    private static func warmDisk(on loop: EventLoop) async throws -> Disk {
        let disk = Disk(on: loop)
        let tier = disk.tier()
        _ = try await world(on: loop, tier).search(request()).get()
        await tier.close()
        return disk
    }

    @Test func `after a restart, pages are found with their age`() throws {
        try virtually { loop, _ in
            let disk = try await Self.warmDisk(on: loop)
            let fetchedAt = at(.milliseconds(50))
            try await loop.sleep(until: fetchedAt.advanced(by: .seconds(100)))
            let world = Self.world(on: loop, disk.tier())
            let answer = try await world.search(request()).get()
            #expect(answer.hits.ids == ids("a.one", [100]))
            #expect(answer.sources[0].cache == .hit)
            #expect(answer.sources[0].fetchedAt == fetchedAt)
            #expect(world.fetcher.calls.begun.isEmpty)
            #expect(await world.cache.figures.hits == 1)
            #expect(try await world.cachedAnswer(request()) != nil)
        }
    }

    @Test func `after a restart, pages on disk are returned as stale if the source fails`() throws {
        try virtually { loop, _ in
            let disk = try await Self.warmDisk(on: loop)
            try await loop.sleep(until: at(.seconds(86_000)))
            let world = Self.world(on: loop, disk.tier(), failingFrom: 0)
            let answer = try await world.search(request()).get()
            #expect(answer.sources[0].cache == .stale)
            #expect(answer.hits.ids == ids("a.one", [100]))
            #expect(world.fetcher.calls.begun.count == 1)
        }
    }

    @Test func `a hundred searches share one lookup on the disk`() throws {
        try virtually { loop, _ in
            let disk = try await Self.warmDisk(on: loop)
            let tier = disk.tier()
            let world = Self.world(on: loop, tier)
            let uses = await withTaskGroup(of: CacheUse?.self) { group in
                for _ in 0..<100 {
                    group.addTask { (try? await world.search(request()).get())?.sources.first?.cache }
                }
                return await group.reduce(into: [CacheUse?]()) { $0.append($1) }
            }
            #expect(uses.count == 100 && uses.allSatisfy { $0 == .hit })
            #expect(tier.figures.hits == 1 && tier.figures.misses == 0)
        }
    }

    @Test func `if the clock is set back, a page on disk has age zero and its normal lifetime`() throws {
        try virtually { loop, _ in
            let disk = try await Self.warmDisk(on: loop)
            disk.step.withLock { $0 = -3_600_000_000_000 }
            try await loop.sleep(until: at(.seconds(100)))
            let page = try #require(await disk.tier().get(pageKey(), by: .init(nanoseconds: .max)))
            #expect(page.fetchedAt == at(.seconds(100)) && page.freshUntil == at(.seconds(700)))
        }
    }

    @Test func `offline searches find pages that are only on disk`() throws {
        try virtually { loop, _ in
            let disk = try await Self.warmDisk(on: loop)
            try await loop.sleep(until: at(.seconds(1_000_000)))
            let world = Self.world(on: loop, disk.tier())
            var offline = request()
            offline.offline = true
            let answer = try await world.search(offline).get()
            #expect(answer.sources[0].cache == .offline)
            #expect(world.fetcher.calls.begun.isEmpty)
        }
    }

    @Test func `a private search does not use the disk`() throws {
        try virtually { loop, _ in
            let disk = try await Self.warmDisk(on: loop)
            let tier = disk.tier()
            let world = Self.world(on: loop, tier)
            for text in ["고양이", "secret"] {
                var hidden = request(query: text)
                hidden.isPrivate = true
                #expect(try await world.search(hidden).get().sources[0].cache == .miss)
            }
            try await disk.settle()
            #expect(tier.figures.hits == 0 && tier.figures.misses == 0)
            await tier.close()
            let next = disk.tier()
            #expect(await next.get(pageKey(query: "secret"), by: .init(nanoseconds: .max)) == nil)
            #expect(await next.get(pageKey(), by: .init(nanoseconds: .max))?.entries.map(\.id) == ids("a.one", [100]))
        }
    }

    @Test func `a cleared page is removed from memory and disk, even during a read`() throws {
        try virtually { loop, _ in
            let disk = try await Self.warmDisk(on: loop)
            let tier = disk.tier()
            let world = Self.world(on: loop, tier)
            async let early = tier.get(pageKey(), by: .init(nanoseconds: .max))
            let removed = await tier.remove(PageSelection(source: "a.*"))
            #expect(removed == 1)
            _ = await early
            #expect(try await world.search(request()).get().sources[0].cache == .miss)
        }
    }

    @Test func `a search waits only briefly for a hanging disk, and then calls the source`() throws {
        try virtually { loop, clock in
            let disk = Disk(on: loop)
            let hanging = EventLoop(clock: clock, poller: VirtualPoller(clock: clock) {})
            let world = Self.world(on: loop, disk.tier(storage: hanging))
            let answer = try await world.search(request()).get()
            #expect(answer.sources[0].cache == .miss)
            #expect(loop.now == at(DiskTier.lookupMax + .milliseconds(50)))
        }
    }

    @Test func `a page that is damaged on disk is fetched again`() throws {
        try virtually { loop, _ in
            let disk = Disk(on: loop)
            let archive = PageArchive(
                disk.file,
                bytesMax: 1 << 20,
                on: loop,
                report: { _ in }
            )
            let page = ArchivedPage(
                key: PageCodec.bytes(of: pageKey()),
                source: "a.one",
                query: "고양이",
                fetchedAt: Disk.epoch,
                freshUntil: .max
            )
            archive.put(page, size: 3) { [1, 2, 3] }
            await archive.close()
            let world = Self.world(on: loop, disk.tier())
            let answer = try await world.search(request()).get()
            #expect(answer.sources[0].cache == .miss)
            #expect(disk.lines.withLock { $0 } == [])
        }
    }
}
