import Catalogue
import EventLoop
import JSON
import RPC
import SearchModel
import Storage
import TestSupport
import Testing

@testable import Engine

/// Pages of which only the hits that somebody wanted have been read.
struct UnreadHitsTests {
    /// A page with numbers as hits, kept with so many of them read.
    private static func kept(_ numbers: Range<Int>, read count: Int, content: UInt64 = 1) -> CachedPage {
        CachedPage(
            page("a.one", numbers, total: 1000).read(count),
            key: pageKey(),
            fetchedAt: at(.zero),
            freshUntil: at(.seconds(600)),
            content: content
        )
    }

    // MARK: Pages

    @Test(arguments: 1...6) func `a page read in two parts is the page read at once`(count: Int) {
        let whole = Self.kept(0..<6, read: .max)
        let brief = Self.kept(0..<6, read: count)
        #expect(brief.isWhole == (count == 6))
        #expect(brief.entries.map(\.id) == ids("a.one", 0..<count))
        let read = brief.readWhole()
        #expect(read.isWhole)
        #expect(read.bytes == whole.bytes)
        #expect(read.entries.map(\.id) == whole.entries.map(\.id))
        #expect(read.entries.map(\.range) == whole.entries.map(\.range))
        #expect(read.entries.prefix(count).map(\.rawRange) == brief.entries.map(\.rawRange))
        #expect(read.fetchedAt == brief.fetchedAt && read.freshUntil == brief.freshUntil)
        #expect(read.total == brief.total && read.isEnd == brief.isEnd)
        for (number, entry) in read.entries.enumerated().dropFirst(count) {
            #expect(Array(read.raw[entry.rawRange]) == PlainDocuments.document(of: hit("a.one", number)))
        }
    }

    /// A page whose hits have their documents.
    private static func documented(_ numbers: Range<Int>) -> Page {
        var made = page("a.one", numbers)
        for index in made.hits.indices { made.hits[index].raw = PlainDocuments.document(of: made.hits[index])[...] }
        return made
    }

    @Test func `the documents of the hits that are read stand before the others`() {
        let made = Self.documented(0..<3)
        let whole = cachedPage(made)
        let read = cachedPage(made.read(2)).readWhole()
        #expect(read.raw == whole.raw)
        #expect(read.entries.map(\.rawRange) == whole.entries.map(\.rawRange))
        #expect(cachedPage(made.read(2)).holdsSame(as: whole))
        #expect(whole.holdsSame(as: cachedPage(made.read(1))))
        #expect(cachedPage(made.read(1)).holdsSame(as: cachedPage(made.read(2))))
    }

    @Test func `pages that differ in what has not been read do not say the same`() {
        #expect(!Self.kept(0..<6, read: 2).holdsSame(as: Self.kept(0..<7, read: 2)))
        #expect(!Self.kept(0..<6, read: 6).holdsSame(as: Self.kept(0..<7, read: 7)))
    }

    @Test func `documents that hold no hits end a page`() {
        var made = page("a.one", 0..<2)
        made.unread = UnreadHits(
            documents: Array("[1],null".utf8)[...],
            count: 2,
            firstRank: 3,
            reader: PlainDocuments()
        )
        let read = cachedPage(made).readWhole()
        #expect(read.isWhole && read.entries.map(\.id) == ids("a.one", 0..<2))
    }

    // MARK: The cache

    @Test func `a page that is read whole takes the place of the other, and counts for what it is`() throws {
        try virtually { loop, _ in
            let cache = ResultCache(on: loop, bytesMax: 1 << 20)
            let brief = Self.kept(0..<6, read: 2)
            await cache.insert(brief)
            let whole = await cache.whole(brief)
            #expect(await cache.page(pageKey()) === whole)
            #expect(await cache.whole(brief) === whole)
            #expect(await cache.whole(whole) === whole)
            #expect(await cache.figures.entries == 1)
            #expect(await cache.figures.bytes == PageStore.cost(of: whole))
            #expect(brief.validity.isEnded && !whole.validity.isEnded)
        }
    }

    @Test func `the rest of a page that is no longer kept is read, and not kept`() throws {
        try virtually { loop, _ in
            let cache = ResultCache(on: loop, bytesMax: 1 << 20)
            let brief = Self.kept(0..<6, read: 2)
            let other = Self.kept(10..<16, read: 2, content: 2)
            await cache.insert(other)
            #expect(await cache.whole(brief).entries.map(\.id) == ids("a.one", 0..<6))
            #expect(await cache.page(pageKey()) === other)
        }
    }

    @Test func `a page that says the same when it is fetched again loses none of the hits that were read`() throws {
        try virtually { loop, _ in
            let cache = ResultCache(on: loop, bytesMax: 1 << 20, random: SeededGenerator(seed: testSeed()))
            let freshness = profile().freshness
            for (read, entries) in [(2, 2), (4, 4), (2, 4), (.max, 6), (1, 6)] {
                let made = await cache.made(Self.documented(0..<6).read(read), key: pageKey(), freshness)
                #expect(made.entries.count == entries)
                await cache.insert(made)
                try await loop.sleep(until: loop.now.advanced(by: .seconds(1)))
            }
        }
    }

    // MARK: Searches

    /// A world that notes how many hits each call was to read at once.
    private static func wanted(_ world: World) -> [Int] {
        world.fetcher.calls.demands.map(\.hitsWanted)
    }

    @Test func `one source's own order reads as many hits as are wanted, any other all`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 1000))
            _ = try await world.search(request(limit: 4)).get()
            _ = try await world.search(request(query: "b", offset: 13, limit: 4)).get()
            _ = try await world.search(request(query: "c", offset: 18, limit: 4)).get()
            _ = try await world.search(request([profile(), profile("b.two")], query: "d", limit: 4)).get()
            var byTitle = request(query: "e", limit: 4)
            byTitle.sort = .title
            _ = try await world.search(byTitle).get()
            #expect(Self.wanted(world) == [4, 7, .max, 2, .max, .max, .max])
        }
    }

    @Test func `what another search wants of a page costs no call, from memory or along a cursor`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 1000))
            var next = request(limit: 3)
            next.cursor = try await world.cursor(after: next)
            let others = try #require(try await world.cachedAnswer(request(offset: 1, limit: 8)))
            #expect(others.hits.ids == ids("a.one", 1..<9))
            #expect(try await world.search(next).get().hits.ids == ids("a.one", 3..<6))
            let two = try await world.search(request([profile(), profile("b.two")], limit: 20)).get()
            #expect(Set(two.hits.ids) == Set(ids("a.one", 0..<10) + ids("b.two", 0..<10)))
            #expect(world.fetcher.calls.begun.count == 2)
        }
    }

    @Test func `a cursor goes on with the page it began with, whatever has come in its place`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, call in
                .page(page("a.one", call * 100..<call * 100 + 10, total: 1000))
            }
            var next = request(limit: 3)
            next.cursor = try await world.cursor(after: next)
            var again = request(limit: 3)
            again.maxAge = .zero
            #expect(try await world.search(again).get().hits.ids == ids("a.one", 100..<103))
            #expect(try await world.search(next).get().hits.ids == ids("a.one", 3..<6))
        }
    }

    @Test func `where a last page ends is told as if it had been read whole`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, _ in
                // Behind three hits there are two documents that are none.
                var made = page("a.one", 0..<3, isEnd: true)
                made.unread = UnreadHits(
                    documents: Array("[1],null".utf8)[...],
                    count: 2,
                    firstRank: 4,
                    reader: PlainDocuments()
                )
                return .page(made)
            }
            let answer = try await world.search(request(limit: 3)).get()
            #expect(answer.hits.ids == ids("a.one", 0..<3))
            #expect(answer.next == nil && answer.sources[0].isEnd)
        }
    }

    @Test func `the story of a search counts all hits of a page`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 1000))
            var explained = request(limit: 3)
            explained.explain = true
            let trace = try await world.search(explained).get().trace ?? []
            let received = try #require(trace.first { $0.event == "received" })
            var writer = JSONWriter()
            writer.object { received.details(&$0) }
            #expect(try JSONDocument(writer.bytes).root.value["hits"] == 10)
        }
    }

    @Test func `what is read of a page that was cleared is as ended as the page`() throws {
        try virtually { loop, _ in
            let cache = ResultCache(on: loop, bytesMax: 1 << 20)
            let brief = Self.kept(0..<6, read: 2)
            await cache.insert(brief)
            _ = await cache.clear(PageSelection())
            #expect(await cache.whole(brief).validity.isEnded)
        }
    }

    @Test func `who joins a call gets what he wants of it`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 1000))
            async let few = world.search(request(limit: 2))
            async let many = world.search(request(limit: 9))
            let answers = (try await few.get(), try await many.get())
            #expect(answers.0.hits.ids == ids("a.one", 0..<2))
            #expect(answers.1.hits.ids == ids("a.one", 0..<9))
            #expect(world.fetcher.calls.begun.count == 1)
        }
    }

    @Test func `pages in parts without anything new count once towards the end of a source that repeats itself`() throws
    {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                .page(
                    page("a.one", (key.request.page == 5 ? 1 : 0) * 10..<(key.request.page == 5 ? 20 : 10), total: 90)
                )
            }
            let answers = try await world.walk(request(limit: 3))
            // Pages 1 to 4 repeat the first one, and so many are taken for the end.
            #expect(answers.flatMap(\.hits.ids) == ids("a.one", 0..<10))
            #expect(world.fetcher.calls.begun.map(\.request.page) == Array(0...SourceWalk.barrenPagesMax))
        }
    }

    @Test func `a stale page is fetched anew with as much of it read as was wanted`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 1000))
            _ = try await world.search(request(limit: 4)).get()
            try await world.sleep(.seconds(601))
            #expect(try await world.search(request(limit: 3)).get().sources[0].cache == .stale)
            try await world.sleep(.seconds(1))
            #expect(Self.wanted(world) == [4, 4])
        }
    }

    // MARK: The disk

    @Test func `a page of a source that is another since a reload is not put on disk`() throws {
        try virtually { loop, _ in
            let disk = Disk(on: loop)
            let tier = disk.tier { $0.edition == 2 ? PlainDocuments() : nil }
            for (edition, entries) in [(UInt32(1), 0), (2, 1)] {
                let key = PageKey(source: sourceName("a.one"), request: pageKey().request, edition: edition)
                tier.put(cachedPage(page("a.one", 0..<3), key: key), until: .init(nanoseconds: .max))
                try await disk.settle()
                #expect(tier.figures.entries == entries)
            }
        }
    }

    @Test func `who can't ask the source is told of what another process has put on the disk`() throws {
        try virtually { loop, _ in
            let disk = Disk(on: loop)
            let (one, other) = (disk.tier(), disk.tier())
            // Both have the file open.
            for (tier, query) in [(one, "x"), (other, "y")] {
                tier.put(cachedPage(page("a.one", 0..<3), key: pageKey(query: query)), until: .init(nanoseconds: .max))
                try await disk.settle()
            }
            var offline = request(query: "y")
            offline.offline = true
            let world = World(on: loop, disk: one, script: steadyScript(total: 1000))
            #expect(try await world.search(offline).get().hits.ids == ids("a.one", 0..<3))
        }
    }

    @Test func `what was not read before the daemon ended is read after it`() throws {
        try virtually { loop, _ in
            let disk = Disk(on: loop)
            let tier = disk.tier()
            let world = World(on: loop, disk: tier, script: steadyScript(total: 1000))
            _ = try await world.search(request(limit: 2)).get()
            await tier.close()
            let next = World(on: loop, disk: disk.tier(), script: steadyScript(total: 1000))
            #expect(try await next.search(request(limit: 10)).get().hits.ids == ids("a.one", 0..<10))
            #expect(next.fetcher.calls.begun.isEmpty)
        }
    }
}
