import EventLoop
import JSON
import SearchModel
import TestSupport
import Testing

@testable import Personal

@Suite("The history in the store") struct HistoryTests {
    private static let settings = HistorySettings()

    private static func search(
        _ query: String,
        at: Int64,
        in sources: [String] = ["kakao.blog", "@web"]
    ) throws -> HistorySearch {
        HistorySearch(query: try #require(SearchQuery(query)), at: at, sources: sources)
    }

    private static func queries(
        _ store: PersonalStore,
        _ change: (inout HistoryQuery) -> Void = { _ in }
    ) async throws -> [String] {
        var query = HistoryQuery()
        change(&query)
        return try await store.entries(query, settings).map(\.query)
    }

    @Test func `each query is listed once with its count and time, the latest first`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            try await store.record(
                [Self.search("고양이", at: 1000), Self.search("강아지", at: 2000), Self.search("고양이", at: 3000)],
                Self.settings
            )
            try await store.record([Self.search("고양이", at: 3000)], Self.settings)
            let entries = try await store.entries(HistoryQuery(), Self.settings)
            #expect(entries.map(\.query) == ["고양이", "강아지"])
            #expect(entries.map(\.count) == [3, 1])
            #expect(entries.map(\.at) == [3001, 2000])
            #expect(entries[0].sources == ["kakao.blog", "@web"])
            #expect(entries[0].json["at"] == "1970-01-01T00:00:03.001Z")
        }
    }

    @Test func `the same query in different sources has two entries, but one suggestion`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            for (at, sources) in [(1000, ["kakao.blog"]), (2000, []), (3000, ["kakao.blog"])] as [(Int64, [String])] {
                try await store.record([Self.search("고양이", at: at, in: sources)], Self.settings)
            }
            let entries = try await store.entries(HistoryQuery(), Self.settings)
            #expect(entries.map(\.sources) == [["kakao.blog"], []])
            #expect(entries.map(\.count) == [2, 1])
            let suggested = try await store.suggestions(Self.settings).suggestions("고양", limit: 8)
            #expect(suggested == [Suggestion("고양이", .history, count: 3, at: 3000)])
        }
    }

    @Test func `pages of the history list each search once, even if many have the same time`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            // Each search gets its own millisecond. These searches do not fit into the 1,000 milliseconds of second 7.
            let late = try Self.search("late", at: 8000)
            try await store.record([late] + (0..<1010).map { try Self.search("q\($0)", at: 7000) }, Self.settings)
            var query = HistoryQuery()
            query.limit = 101
            var all: [String] = []
            while case let page = try await store.entries(query, Self.settings), let last = page.last {
                all += page.map(\.query)
                query.before = last.at
            }
            #expect(Set(all).count == 1011 && all.count == 1011)
            #expect(all.filter { $0 != "late" } == (0..<1010).reversed().map { "q\($0)" })
        }
    }

    @Test(arguments: [
        ("고양", ["길 고양이", "고양이"]), ("ㄱㅇㅇ", ["길 고양이", "고양이"]), ("고야", ["길 고양이", "고양이"]),
        ("rhdiddl", ["길 고양이", "고양이"]), ("swift", ["Swift 언어"]), ("양이", []), ("   ", ["Swift 언어", "길 고양이", "고양이"]),
    ])
    func `a prefix, initials or the wrong layout finds queries`(_ prefix: String, _ found: [String]) async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            let searches = try ["고양이", "길 고양이", "Swift 언어"].enumerated().map { index, query in
                try Self.search(query, at: Int64(index) * 1000 + 1000)
            }
            try await store.record(searches, Self.settings)
            #expect(try await Self.queries(store) { $0.prefix = LibraryQuery.words(prefix) } == found)
        }
    }

    @Test func `expired searches are not listed, and are removed at the next search`() async throws {
        var settings = HistorySettings()
        settings.keep = .seconds(100)
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { [settings] store in
            // The clock of the store is at 500 s.
            try await store.record([Self.search("old", at: 399_999), Self.search("new", at: 400_000)], Self.settings)
            #expect(try await store.entries(HistoryQuery(), settings).map(\.query) == ["new"])
            #expect(try await Self.queries(store) == ["new", "old"])
            try await store.record([Self.search("newer", at: 500_000)], settings)
            #expect(try await Self.queries(store) == ["newer", "new"])
        }
    }

    @Test func `a query, all searches since a time, or all searches can be removed`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            try await store.record((1...5).map { try Self.search("q\($0)", at: Int64($0) * 1000) }, Self.settings)
            let query = try Self.search("q3", at: 0).query
            #expect(try await store.erase(.query(query)) == 1)
            #expect(try await store.erase(.query(query)) == 0)
            #expect(try await store.erase(.since(4000)) == 2)
            #expect(try await Self.queries(store) == ["q2", "q1"])
            #expect(try await store.erase(.all) == 2)
            #expect(try await Self.queries(store) == [])
        }
    }

    @Test func `removing the searches of a user without data creates no file`() async throws {
        let directory = TemporaryDirectory()
        try await PersonalStoreFixture.withStore(directory) { store in
            let removed = try await store.erase(.all)
            #expect(removed == 0)
            #expect(try await Self.queries(store) == [])
            #expect(directory.names.filter { $0.hasSuffix("sqlite") } == [])
        }
    }

    @Test func `erased searches leave no text in any file`() async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let directory = TemporaryDirectory()
        let queries = try (0..<400).map { number in
            let query =
                "비밀 \(number)\(Self.mark)" + String(repeating: "x", count: Int.random(in: 0...200, using: &random))
            return try #require(SearchQuery(query))
        }
        try await PersonalStoreFixture.withStore(directory) { store in
            for _ in 0..<40 {
                let batch = (0..<50).map { _ in
                    let query = queries[Int.random(in: queries.indices, using: &random)]
                    return HistorySearch(query: query, at: .random(in: 1...9000, using: &random), sources: [])
                }
                try await store.record(batch, Self.settings)
                _ = try await store.erase(.query(queries[Int.random(in: queries.indices, using: &random)]))
            }
            let kept = Set(
                try await Self.queries(store) { $0.limit = 1000 }.map { Self.numbers(in: Array($0.utf8))[0] }
            )
            #expect(kept.count > 100)
            #expect(Self.numbers(below: directory.path) == kept)
            _ = try await store.erase(.all)
            #expect(Self.numbers(below: directory.path) == [])
        }
    }

    private static let mark = "낱말"

    private static func numbers(below path: String) -> Set<Int> {
        Set(TemporaryDirectory.files(below: path).flatMap { numbers(in: $0.bytes) })
    }

    private static func numbers(in bytes: [UInt8]) -> [Int] {
        let mark = Array(mark.utf8)
        return bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }.map { index in
            let digits = bytes[..<index].suffix(3).reversed().prefix { (0x30...0x39).contains($0) }.reversed()
            return digits.isEmpty ? -1 : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
    }
}
