import Catalogue
import EventLoop
import JSON
import RPC
import SearchModel
import SearchTestSupport
import Storage
import TestSupport
import Testing
import Upstream

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

    // MARK: The disk

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
