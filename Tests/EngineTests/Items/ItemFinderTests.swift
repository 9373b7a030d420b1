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

/// Looks up items.
///
/// A source answers a lookup with a record. If there is no record, the result is a hit of an earlier search.
@Suite struct ItemFinderTests {
    private static func world(
        on loop: EventLoop,
        disk: DiskTier? = nil,
        failingFrom first: Int = .max,
        with kind: SearchError.Kind = .unavailable
    ) -> World {
        World(on: loop, disk: disk) { key, call in
            if call >= first { return .failure(kind) }
            guard let item = key.request.item else { return .page(page("a.one", [1], isEnd: true)) }
            var record = hit("a.one", 1, title: "full \(call)")
            record.id = "a.one:\(item.text)"
            record.raw = Array(#"{"key":"\#(item.text)"}"#.utf8)[...]
            return .page(Page(hits: [record], isEnd: true))
        }
    }

    private static func source(hasLookup: Bool = true, unavailable: SearchError? = nil) -> SourceProfile {
        var source = profile(unavailable: unavailable)
        source.hasLookup = hasLookup
        return source
    }

    private static func item(_ id: String = "a.one:1", _ change: (inout ItemRequest) -> Void = { _ in }) throws
        -> ItemRequest
    {
        var request = try #require(ItemRequest(id: id))
        change(&request)
        return request
    }

    @Test func `a record is fetched once, then cached, then stale, then fetched again`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop)
            let first = try await world.find(Self.item(), of: Self.source())
            #expect(first.isFull && first.use == .miss && first.failure == nil)
            #expect(first.title == "full 0")
            #expect(first.hit.fetchedAt == at(.milliseconds(50)))
            try await world.sleep(.seconds(599))
            #expect(try await world.find(Self.item(), of: Self.source()).use == .hit)
            try await world.sleep(.seconds(2))
            let stale = try await world.find(Self.item(), of: Self.source())
            #expect(stale.use == .stale && stale.isFull && stale.title == "full 0")
            try await world.sleep(.seconds(1))
            #expect(try await world.find(Self.item(), of: Self.source()).title == "full 1")
            #expect(world.fetcher.calls.begun.count == 2)
        }
    }

    @Test func `identical lookups share one call, and different lookups do not`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop)
            let request = try Self.item()
            async let first = world.find(request, of: Self.source())
            async let second = world.find(request, of: Self.source())
            async let other = world.find(Self.item("a.one:2"), of: Self.source())
            let uses = try await [first.use, second.use]
            #expect(Set(uses) == [.miss, .joined])
            #expect(try await other.use == .miss)
            #expect(world.fetcher.calls.begun.count == 2)
        }
    }

    @Test func `a lookup of a key and a search for the same text do not share a page`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop)
            _ = try await world.search(request([Self.source()], query: "1")).get()
            #expect(try await world.find(Self.item(), of: Self.source()).isFull)
            #expect(world.fetcher.calls.begun.count == 2)
        }
    }

    @Test func `offline, a lookup returns a cached record of any age, or else a cached hit`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop)
            let offline = try Self.item { $0.terms.offline = true }
            let error = await #expect(throws: SearchError.self) { try await world.find(offline, of: Self.source()) }
            #expect(error?.kind == .notFound)
            #expect(error?.hint == "Look it up once without \"offline\".")
            _ = try await world.search(request([Self.source()])).get()
            let hit = try await world.find(offline, of: Self.source())
            #expect(!hit.isFull && hit.use == .offline && hit.failure == nil && hit.title == "제목 1")
            _ = try await world.find(Self.item(), of: Self.source())
            try await world.sleep(.seconds(50_000))
            let record = try await world.find(offline, of: Self.source())
            #expect(record.isFull && record.use == .offline)
            #expect(world.fetcher.calls.begun.count == 2)
            let off = Self.source(unavailable: SearchError(.notConfigured, "no key"))
            #expect(try await world.find(offline, of: off).isFull)
        }
    }

    @Test(arguments: [SearchError.Kind.unavailable, .notFound, .rateLimited, .timeout, .badResponse, .unauthorized])
    func `if the source fails, a hit of a search is returned with the error`(_ kind: SearchError.Kind) throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, failingFrom: 1, with: kind)
            let alone = await #expect(throws: SearchError.self) {
                try await world.find(Self.item("a.one:9"), of: Self.source(unavailable: SearchError(kind, "x")))
            }
            #expect(alone?.kind == kind)
            _ = try await world.search(request([Self.source()])).get()
            let found = try await world.find(Self.item(), of: Self.source())
            #expect(!found.isFull && found.use == .hit && found.failure?.kind == kind)
            #expect(found.title == "제목 1")
        }
    }

    @Test func `if the source fails, a stale record is preferred to a hit`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, failingFrom: 1)
            _ = try await world.find(Self.item(), of: Self.source())
            try await world.sleep(.seconds(2_000))
            let found = try await world.find(Self.item(), of: Self.source())
            #expect(found.isFull && found.use == .stale && found.failure?.kind == .unavailable)
        }
    }

    @Test func `if the source fails, a record older than maxAge is returned`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, failingFrom: 2)
            _ = try await world.search(request([Self.source()])).get()
            _ = try await world.find(Self.item(), of: Self.source())
            try await world.sleep(.seconds(5))
            let found = try await world.find(Self.item { $0.terms.maxAge = .zero }, of: Self.source())
            #expect(found.isFull && found.use == .hit && found.failure?.kind == .unavailable)
            #expect(found.title == "full 1" && found.hit.fetchedAt < loop.now)
        }
    }

    @Test func `the error for a missing item is cached briefly`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop, failingFrom: 0, with: .notFound)
            for _ in 0..<3 {
                let error = await #expect(throws: SearchError.self) {
                    try await world.find(Self.item(), of: Self.source())
                }
                #expect(error?.kind == .notFound)
            }
            #expect(world.fetcher.calls.begun.count == 1)
            try await world.sleep(.seconds(61))
            _ = try? await world.find(Self.item(), of: Self.source())
            #expect(world.fetcher.calls.begun.count == 2)
        }
    }

    @Test func `if the source has no lookups, the most complete hit is returned`() throws {
        try virtually { loop, _ in
            let source = Self.source(hasLookup: false)
            let world = World(on: loop) { key, call in
                let words = key.request.query.text.utf8.count
                return .page(Page(hits: [hit("a.one", 1, title: String(repeating: "x", count: words))], isEnd: true))
            }
            let unknown = await #expect(throws: SearchError.self) { try await world.find(Self.item(), of: source) }
            #expect(unknown?.kind == .notFound)
            #expect(unknown?.hint == "Search for the item again.")
            for text in ["one", "a long one", "two"] {
                _ = try await world.search(request([source], query: text)).get()
            }
            let found = try await world.find(Self.item(), of: source)
            #expect(found.title == "xxxxxxxxxx")
            #expect(!found.isFull && found.use == .hit && found.failure == nil)
            #expect(world.fetcher.calls.begun.count == 3)
            try await world.sleep(.seconds(700))
            #expect(try await world.find(Self.item { $0.terms.maxAge = .seconds(1) }, of: source).use == .stale)
        }
    }

    @Test func `if an id contains a hash, the key is read from the cached hit`() throws {
        try virtually { loop, _ in
            let id = "a.one:0123456789abcdef"
            let world = World(on: loop) { key, _ in
                var found = hit("a.one", 1, title: key.request.item.map { "full \($0.text)" })
                found.id = id
                found.raw = Array(#"{"key":"a/b"}"#.utf8)[...]
                return .page(Page(hits: [found], isEnd: true))
            }
            let item = try Self.item(id) { request in
                request.keyInDocument = { $0 == Array(#"{"key":"a/b"}"#.utf8) ? ItemKey("a/b") : nil }
            }
            // If the hit is not cached, the hash is used as the key.
            #expect(try await world.find(item, of: Self.source()).title == "full 0123456789abcdef")
            _ = try await world.search(request([Self.source()])).get()
            #expect(try await world.find(item, of: Self.source()).title == "full a/b")
        }
    }

    @Test func `a lookup respects its timeout`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, _ in .page(page("a.one", [1], isEnd: true), after: .seconds(5)) }
            let error = await #expect(throws: SearchError.self) {
                try await world.find(Self.item { $0.terms.timeout = .seconds(1) }, of: Self.source())
            }
            #expect(error?.kind == .timeout)
            #expect(loop.now == at(.seconds(1)))
        }
    }

    @Test func `a private lookup is not cached`() throws {
        try virtually { loop, _ in
            let disk = Disk(on: loop)
            let tier = disk.tier()
            let world = Self.world(on: loop, disk: tier)
            #expect(try await world.find(Self.item { $0.terms.isPrivate = true }, of: Self.source()).isFull)
            #expect(await world.cache.figures.entries == 0)
            try await disk.settle()
            #expect(tier.figures.entries == 0)
            #expect(try await world.find(Self.item(), of: Self.source()).use == .miss)
        }
    }

    @Test func `a lookup makes one call, with the key of the item and without options`() throws {
        try virtually { loop, _ in
            let world = Self.world(on: loop)
            _ = try await world.find(Self.item { $0.terms.priority = .background }, of: Self.source())
            #expect(world.fetcher.calls.demands.count == 1)
            let key = try #require(world.fetcher.calls.begun.first)
            #expect(key.request.item?.text == "1" && key.request.page == 0 && key.request.options.isEmpty)
        }
    }

    @Test func `records and hits are found on disk after a restart`() throws {
        try virtually { loop, _ in
            let disk = Disk(on: loop)
            let tier = disk.tier()
            let first = Self.world(on: loop, disk: tier)
            _ = try await first.search(request([Self.source()])).get()
            _ = try await first.find(Self.item("a.one:2"), of: Self.source())
            await tier.close()
            try await loop.sleep(until: loop.now.advanced(by: .seconds(5_000)))
            let next = Self.world(on: loop, disk: disk.tier())
            let record = try await next.find(Self.item("a.one:2") { $0.terms.offline = true }, of: Self.source())
            #expect(record.isFull && record.title == "full 1")
            let hit = try await next.find(Self.item { $0.terms.offline = true }, of: Self.source(hasLookup: false))
            #expect(!hit.isFull && hit.title == "제목 1")
            #expect(hit.hit.fetchedAt == at(.milliseconds(50)))
            #expect(next.fetcher.calls.begun.isEmpty)
        }
    }

    @Test func `an item is found in a page on disk, even if no answer contained it`() throws {
        try virtually { loop, _ in
            let disk = Disk(on: loop)
            let tier = disk.tier()
            let source = Self.source(hasLookup: false)
            let first = World(on: loop, disk: tier) { _, _ in .page(page("a.one", 0..<10, isEnd: true)) }
            _ = try await first.search(request([source], limit: 2)).get()
            await tier.close()
            let next = Self.world(on: loop, disk: disk.tier())
            #expect(try await next.find(Self.item("a.one:7"), of: source).title == "제목 7")
        }
    }
}

@Suite struct ItemRequestTests {
    @Test func `an id contains the source and its key`() throws {
        let request = try #require(ItemRequest(id: "google.books:zy-T_C.A"))
        #expect(request.source.text == "google.books")
        #expect(request.key.text == "zy-T_C.A")
        #expect(request.id == "google.books:zy-T_C.A")
    }

    @Test(arguments: [
        "", ":", "x", "a.one", "a.one:", ":1", "one:1", "a.one:.", "a.one:..", "a.one:../x", "a.one:a/b", "a.one:a:b",
        "a.one:a?b", "a.one:a%2Fb", "a.one:고양이", "a.one:a b", "a.one:a\n", "A.one:1", "a.one:\u{0}", "a.o\u{301}ne:1",
    ])
    func `text that is not a valid id is refused`(_ text: String) {
        #expect(ItemRequest(id: text) == nil)
    }

    @Test func `an id has a maximum length`() {
        let source = "a." + String(repeating: "s", count: SourceName.bytesMax - 2)
        let key = String(repeating: "k", count: HitKey.bytesMax)
        #expect(ItemRequest(id: "\(source):\(key)") != nil)
        #expect(ItemRequest(id: "\(source):\(key)k") == nil)
        #expect(ItemRequest(id: "a.one:\(key)k") == nil)
        #expect(ItemRequest(id: String(repeating: "a.one:1", count: 150_000)) == nil)
    }
}

extension World {
    fileprivate func find(_ request: ItemRequest, of source: SourceProfile) async throws(SearchError) -> FoundItem {
        try await ItemFinder(on: loop, loader: loader, cache: cache, tier: disk).find(request, of: source)
    }
}

extension FoundItem {
    fileprivate var title: String? { (try? JSONDocument(hit.bytes))?.root["title"]?.string }
}
