import EventLoop
import JSON
import SearchModel
import TestSupport
import Testing

@testable import Personal

@Suite("Hits of earlier searches") struct SeenTests {
    private static let settings = HistorySettings()

    private static func seen(_ query: String, _ hits: [JSONValue], at: Int64 = 1000) throws -> SeenHits {
        let search = HistorySearch(query: try #require(SearchQuery(query)), at: at, sources: [])
        return SeenHits(search, hits: hits.map { ($0.bytes, at / 1000) })
    }

    private static func hit(_ key: String, _ title: String, kind: String = "book", snippet: String = "") -> JSONValue {
        [
            "id": .string("kakao.book:\(key)"), "source": "kakao.book", "kind": .string(kind), "title": .string(title),
            "snippet": .string(snippet), "rank": 1, "url": "https://example.org/", "marks": ["title": [[0, 1]]],
        ]
    }

    private static func found(
        _ store: PersonalStore,
        _ words: String,
        kinds: [Kind]? = nil,
        offset: Int = 0,
        limit: Int = 100,
        _ settings: HistorySettings = settings
    ) async throws -> [String] {
        let query = LibraryQuery(words: words, kinds: kinds, offset: offset, limit: limit)
        return try await store.seen(query, settings).hits.map { String($0.hit.id.utf8.dropFirst(11)) ?? "" }
    }

    @Test(arguments: [
        ("고양이", ["2", "1", "3"]), ("ㄱㅇㅇ", ["2", "1", "3"]), ("고야", ["2", "1", "3"]), ("rhdiddl", ["2", "1", "3"]),
        ("길 고양이", ["1"]), ("사료", ["3"]), ("말", []), ("?", []),
    ])
    func `hits are found by typed words, the best match first`(_ words: String, _ keys: [String]) async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            let hits = [
                Self.hit("1", "길에서 만난 고양이"), Self.hit("2", "고양이"), Self.hit("3", "사료", snippet: "고양이가 먹는"),
            ]
            try await store.record([], seen: [Self.seen("q", hits)], Self.settings)
            #expect(try await Self.found(store, words) == keys)
        }
    }

    @Test func `each hit is listed once in its latest version, and can be listed by kind and by page`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            let first = (0..<5).map { Self.hit("\($0)", "고양이 \($0)", kind: $0 < 3 ? "book" : "blog") }
            try await store.record([], seen: [Self.seen("q", first)], Self.settings)
            let later = [Self.hit("0", "강아지 0"), Self.hit("1", "고양이 1")]
            try await store.record([], seen: [Self.seen("q2", later, at: 5000)], Self.settings)
            #expect(try await Self.found(store, "강아지") == ["0"])
            #expect(Set(try await Self.found(store, "고양이")) == ["1", "2", "3", "4"])
            #expect(Set(try await Self.found(store, "고양이", kinds: [#require(Kind("blog"))])) == ["3", "4"])
            let pages = try await [0, 2, 4].asyncMap { try await Self.found(store, "고양이", offset: $0, limit: 2) }
            #expect(pages.map(\.count) == [2, 2, 0])
            #expect(Set(pages.joined()).count == 4)
            let all = try await store.seen(LibraryQuery(words: "고양이", limit: 1), Self.settings)
            #expect(all.total == 4 && all.isTotalExact && all.hits[0].fetchedAt == 5)
            #expect(all.hits[0].hit[.rank] == nil && all.hits[0].hit[.marks] == nil)
        }
    }

    @Test func `expired hits are neither found nor stored`() async throws {
        var settings = HistorySettings()
        settings.keep = .seconds(100)
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { [settings] store in
            // The clock of the store is at 500 s.
            try await store.record([], seen: [Self.seen("q", [Self.hit("1", "a")], at: 399_000)], Self.settings)
            try await store.record([], seen: [Self.seen("q", [Self.hit("2", "a")], at: 400_000)], Self.settings)
            #expect(try await Self.found(store, "a") == ["2", "1"])
            #expect(try await Self.found(store, "a", settings) == ["2"])
            try await store.record([], seen: [Self.seen("q", [Self.hit("3", "a")], at: 500_000)], settings)
            #expect(try await Self.found(store, "a") == ["3", "2"])
        }
    }

    @Test func `removing a search also removes the hits that only this search found`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            let (one, both, other) = (Self.hit("1", "a"), Self.hit("2", "a"), Self.hit("3", "a"))
            try await store.record(
                [],
                seen: [Self.seen("q", [one, both], at: 1000), Self.seen("r", [both, other], at: 2000)],
                Self.settings
            )
            #expect(try await store.erase(.query(#require(SearchQuery("q")))) == 0)
            #expect(Set(try await Self.found(store, "a")) == ["2", "3"])
            try await store.record([], seen: [Self.seen("q", [one], at: 500)], Self.settings)
            _ = try await store.erase(.since(1500))
            #expect(try await Self.found(store, "a") == ["1"])
            _ = try await store.erase(.all)
            #expect(try await Self.found(store, "a") == [])
            try await store.record([], seen: [Self.seen("q", [one], at: 500)], Self.settings)
            #expect(try await Self.found(store, "a") == ["1"])
        }
    }

    @Test func `erased searches leave no text of their hits in any file`() async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let directory = TemporaryDirectory()
        try await PersonalStoreFixture.withStore(directory) { store in
            for round in 0..<30 {
                let seen = try (0..<5).map { _ in
                    let word = "word\(round == 0 ? 12 : Int.random(in: 10..<50, using: &random))"
                    let hits = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                        let padding = String(repeating: "길다", count: Int.random(in: 0...400, using: &random))
                        return Self.hit("\(Int.random(in: 0..<9999, using: &random))\(word)", "\(word)x \(padding)")
                    }
                    return try Self.seen(word, hits, at: Int64(round) * 1000 + 1)
                }
                try await store.record(seen.map(\.search), seen: seen, Self.settings)
            }
            for number in 10..<50 where number % 4 != 0 {
                _ = try await store.erase(.query(#require(SearchQuery("word\(number)"))))
            }
            #expect(Self.words(below: directory.path).allSatisfy { $0 % 4 == 0 })
            #expect(Self.words(below: directory.path).count > 5)
            #expect(try await Self.found(store, "word12x").isEmpty == false)
            _ = try await store.erase(.all)
            #expect(Self.words(below: directory.path) == [])
        }
    }

    /// Ignores a word with fewer than two digits, because the index may have cut it.
    private static func words(below path: String) -> Set<Int> {
        let mark = Array("word".utf8)
        return Set(
            TemporaryDirectory.files(below: path).flatMap { _, bytes in
                bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }.compactMap { index in
                    let digits = bytes[(index + 4)...].prefix { (0x30...0x39).contains($0) }
                    return digits.count == 2 ? Int(String(decoding: digits, as: UTF8.self)) : nil
                }
            }
        )
    }

    @Test func `saved items are found by typed words`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            _ = try await store.perform(.save([SavedItemTests.item("1", title: "고양이"), SavedItemTests.item("2")]))
            let found = try await store.saved(LibraryQuery(words: "ㄱㅇㅇ", limit: 10))
            #expect(found.hits.map { $0.hit.id }.contains("kakao.book:1"))
            #expect(try await store.saved(LibraryQuery(words: "없는낱말", limit: 10)).total == 0)
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
