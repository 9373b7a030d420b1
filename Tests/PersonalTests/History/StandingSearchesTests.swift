import EventLoop
import SearchModel
import TestSupport
import Testing

@testable import Personal

@Suite("Searches that stand") struct StandingSearchesTests {
    private static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private static func search(_ query: String) throws -> HistorySearch {
        HistorySearch(query: try #require(SearchQuery(query)), at: 0, sources: [])
    }

    private struct World {
        var searches = StandingSearches()

        mutating func note(_ query: String, on connection: UInt64 = 1, channel: String? = nil, at now: Int64) throws {
            let origin = StandingSearches.Origin(connection: connection, channel: channel)
            searches.note(try StandingSearchesTests.search(query), from: origin, at: StandingSearchesTests.at(now))
        }

        mutating func stood(at now: Int64) -> [String] {
            searches.takeStood(at: StandingSearchesTests.at(now)).map(\.query.text)
        }
    }

    @Test func `a search counts when it has stood for a second, and once`() throws {
        var world = World()
        try world.note("고양이", at: 0)
        #expect(world.stood(at: 999) == [])
        #expect(world.stood(at: 1000) == ["고양이"])
        #expect(world.stood(at: 5000) == [])
        #expect(world.searches.isEmpty)
    }

    @Test func `what is typed and what is taken back leaves the last, on whatever connections`() throws {
        var world = World()
        for (index, query) in ["ㄱ", "고", "고야", "고양", "고양이", "고양이 사", "고양이"].enumerated() {
            try world.note(query, on: UInt64(index), at: Int64(index) * 100)
        }
        #expect(world.stood(at: 10_000) == ["고양이"])
        #expect(world.searches.dropped == 6)
    }

    @Test func `another query replaces one on its channel only`() throws {
        var world = World()
        try world.note("고양이", channel: "typing", at: 0)
        try world.note("강아지", channel: "typing", at: 10)
        try world.note("말", channel: "other", at: 20)
        try world.note("소", at: 30)
        try world.note("새", at: 40)
        try world.note("쥐", on: 2, channel: "typing", at: 50)
        #expect(world.stood(at: 2000) == ["강아지", "말", "소", "새", "쥐"])
    }

    @Test func `the same query again while it stands is the same search`() throws {
        var world = World()
        for now in stride(from: Int64(0), to: 1000, by: 10) { try world.note("고양이", at: now) }
        #expect(world.stood(at: 1000) == ["고양이"])
        try world.note("고양이", at: 1001)
        #expect(world.stood(at: 2001) == ["고양이"])
    }

    @Test func `what follows makes the latest of its connection count, or the one of its query`() throws {
        var world = World()
        try world.note("고양이", at: 0)
        try world.note("강아지", at: 1)
        try world.note("말", on: 2, at: 2)
        #expect(world.searches.takeFollowed(on: 1)?.query.text == "강아지")
        #expect(world.searches.takeFollowed(on: 3) == nil)
        let horse = try Self.search("말").query
        #expect(world.searches.takeFollowed(horse)?.query.text == "말")
        #expect(world.searches.takeFollowed(horse) == nil)
        #expect(world.stood(at: 1000) == ["고양이"])
    }

    @Test func `one more than stand at a time is not recorded`() throws {
        var world = World()
        for number in 0...StandingSearches.countMax { try world.note("\(number) q", at: 0) }
        let stood = world.stood(at: 1000)
        #expect(stood.count == StandingSearches.countMax)
        #expect(stood.last == "\(StandingSearches.countMax - 1) q")
    }

    @Test func `what is cleared stands no more`() throws {
        var world = World()
        try world.note("고양이", at: 0)
        try world.note("말", at: 0)
        world.searches.drop(.query(try Self.search("고양이").query))
        #expect(world.stood(at: 1000) == ["말"])
        #expect(world.searches.dropped == 1)
    }
}
