import Catalogue
import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

@Suite struct PageCodecTests {
    private static func read(_ bytes: [UInt8]) -> CachedPage? {
        PageCodec.page(bytes, key: pageKey(), fetchedAt: at(.zero), freshUntil: at(.seconds(1)))
    }

    private static func randomPage(_ random: inout SeededGenerator) -> Page {
        let hits = (0..<Int.random(in: 0...5, using: &random)).map { number in
            var hit = hit("a.one", number, title: Bool.random(using: &random) ? "제목 \(number)" : "")
            if Bool.random(using: &random) {
                let seconds = Int64.random(in: -10_000_000_000...10_000_000_000, using: &random)
                hit.published = PublishedDate(epochSeconds: seconds, offsetMinutes: 0, precision: .day)
            }
            if Bool.random(using: &random) { hit.raw = Array(#"{"a": "\#(number)"}"#.utf8)[...] }
            if Bool.random(using: &random) { hit.url = "https://x.example/\(number)" }
            return hit
        }
        var made = Page(hits: hits, isEnd: Bool.random(using: &random))
        made.totalIsEstimate = Bool.random(using: &random)
        if Bool.random(using: &random) { made.total = Int.random(in: 0...Int.max, using: &random) }
        if Bool.random(using: &random) { made.reachable = Int.random(in: 0...1000, using: &random) }
        return made
    }

    @Test func `a written page is read unchanged`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<200 {
            let page = cachedPage(Self.randomPage(&random))
            let read = try #require(Self.read(PageCodec.bytes(of: page)))
            #expect(read.bytes == page.bytes)
            #expect(read.raw == page.raw)
            #expect(read.total == page.total && read.totalIsEstimate == page.totalIsEstimate)
            #expect(read.reachable == page.reachable && read.isEnd == page.isEnd)
            #expect(read.entries.map(\.id) == page.entries.map(\.id))
            #expect(read.entries.map(\.title) == page.entries.map(\.title))
            #expect(read.entries.map(\.publishedSeconds) == page.entries.map(\.publishedSeconds))
            #expect(read.entries.map(\.identity) == page.entries.map(\.identity))
            #expect(read.entries.map(\.range) == page.entries.map(\.range))
            #expect(read.entries.map(\.rawRange) == page.entries.map(\.rawRange))
            #expect(read.fetchedAt == at(.zero) && read.freshUntil == at(.seconds(1)))
            #expect(read.bytesUsed == page.bytesUsed)
        }
    }

    @Test func `invalid bytes are not read as a page, and never trap`() {
        var random = SeededGenerator(seed: testSeed())
        let parts = ["6", "null", "true", "-1", "9223372036854775807", "[]", "[[]]", "3", "\"a\"", "\n", "{}"]
        for _ in 0..<5_000 {
            let head = (0..<6).map { _ in parts.randomElement(using: &random) ?? "" }
            let entry = (0..<8).map { _ in parts.randomElement(using: &random) ?? "" }.joined(separator: ",")
            // The random bytes may be a valid page, so the test fails only if reading traps.
            _ = Self.read(Array("[\(head.joined(separator: ",")),[[\(entry)]]]\nabc".utf8))
        }
        #expect(Self.read(Array("[6,null,true,null,true,2,[]]\nabc".utf8)) != nil)
        // The first text has a wrong length, and the second an old version.
        for wrong in ["[6,null,true,null,true,4,[]]\nabc", "[5,null,true,null,true,2,[]]\nabc", "[]\n", "\n", ""] {
            #expect(Self.read(Array(wrong.utf8)) == nil)
        }
    }

    @Test func `different keys are written as different bytes`() {
        var keys: [PageKey] = []
        for source in ["a.one", "a.on"] {
            for text in ["x", "ex", "x 1"] {
                for sort in Sort.allCases {
                    for number in [0, 1, 128] {
                        for options in [[], [("a", "b")], [("a", "bc"), ("d", "")], [("ab", "c")]] {
                            let made = options.map { Option(name: $0.0, value: $0.1) }
                            let request = PageRequest(query: query(text), sort: sort, page: number, options: made)
                            keys.append(PageKey(source: sourceName(source), request: request))
                        }
                    }
                }
            }
        }
        #expect(Set(keys.map(PageCodec.bytes)).count == keys.count)
    }
}
