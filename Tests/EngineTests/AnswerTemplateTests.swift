import EventLoop
import JSON
import RPC
import SearchModel
import SearchTestSupport
import Testing
import Upstream

@testable import Engine

struct AnswerTemplateTests {
    private let now = at(.seconds(100))

    private func answer(_ hits: [HitPosition], next: Cursor? = nil) -> SearchAnswer {
        var report = SourceReport(source: sourceName("a.one"), status: .ok)
        report.cache = .hit
        report.fetchedAt = at(.seconds(100) - .milliseconds(12_399))
        report.count = hits.count
        report.total = 123_456
        report.reachable = 800
        report.elapsed = .microseconds(1290)
        return SearchAnswer(
            query: query("고양이 \"x\""),
            sort: .relevance,
            hits: hits,
            sources: [report],
            next: next,
            startedAt: now,
            validity: [],
            validUntil: now
        )
    }

    private func decimal(_ text: String) -> JSONValue { .number(JSONNumber(validatedText: text)) }

    private func places(_ page: CachedPage, _ indices: some Sequence<Int>) -> [HitPosition] {
        indices.map { HitPosition(page: page, index: $0) }
    }

    private func written(
        _ answer: SearchAnswer,
        _ form: AnswerTemplate.Form = .whole(raw: false),
        repeats: Bool = false,
        after elapsed: Duration = .microseconds(459)
    ) throws -> JSONValue {
        var output = Array("before ".utf8)
        let template = AnswerTemplate(answer, form: form, repeats: repeats)
        template.write(to: &output, now: now.advanced(by: elapsed), since: now)
        #expect(output.starts(with: "before ".utf8))
        return try JSONDocument(Array(output.dropFirst(7))).root.value
    }

    @Test func `an answer is written in the documented form`() throws {
        let kept = cachedPage(page("a.one", 0..<2))
        let value = try written(answer(places(kept, 0..<1), next: Cursor(walk: 1, position: 10)))
        #expect(
            value == [
                "query": "고양이 \"x\"", "sort": "relevance",
                "hits": [["id": "a.one:0", "source": "a.one", "kind": "blog", "title": "제목 0", "rank": 1]],
                "sources": [
                    [
                        "source": "a.one", "status": "ok", "cache": "hit", "age": 12.3, "count": 1, "total": 123456,
                        "totalIsEstimate": true, "reachable": 800, "end": false, "elapsed": 1.2,
                    ]
                ],
                "next": "0000000000000001-a", "complete": true, "elapsed": 0.4,
            ]
        )
    }

    @Test func `without hits the list is empty and the cursor is null`() throws {
        let value = try written(answer([]))
        #expect(value["hits"] == [])
        #expect(value["next"] == .null)
    }

    @Test func `a reused answer has a new elapsed time and the current age`() throws {
        let kept = cachedPage(page("a.one", 0..<2))
        let value = try written(answer(places(kept, 0..<2)), repeats: true, after: .milliseconds(7))
        #expect(value["sources"]?[0]?["elapsed"]?.double == 7)
        #expect(value["elapsed"]?.double == 7)
        let later = try written(answer(places(kept, 0..<2)), repeats: true, after: .seconds(3))
        #expect(later["sources"]?[0]?["age"]?.double == 15.3)
    }

    @Test func `a raw document is the last member of its hit`() throws {
        var first = hit("a.one", 0)
        first.raw = Array(#"{"a": [1, 2]}"#.utf8)[...]
        let kept = cachedPage(Page(hits: [first, hit("a.one", 1)], isEnd: true))
        let plain = try written(answer(places(kept, 0..<2)))
        #expect(plain["hits"]?[0]?["raw"] == nil)
        let raw = try written(answer(places(kept, 0..<2)), .whole(raw: true))
        #expect(raw["hits"]?[0]?.members?.last == JSONMember("raw", ["a": [1, 2]]))
        #expect(raw["hits"]?[0]?["id"]?.string == "a.one:0")
        #expect(raw["hits"]?[1] == plain["hits"]?[1])
    }

    @Test func `a raw document with many lines is written as one line`() {
        var first = hit("a.one", 0)
        first.raw = Array("{\n \"a\":\r\n [1,\n2] }".utf8)[...]
        let kept = cachedPage(Page(hits: [first], isEnd: true))
        var writer = JSONWriter()
        writer.hit(HitPosition(page: kept, index: 0), withRaw: true)
        #expect(!writer.bytes.contains { $0 == 10 || $0 == 13 })
    }

    @Test func `a streamed result has the ids of the hits in order, but not the hits`() throws {
        let kept = cachedPage(page("a.one", 0..<3))
        let value = try written(answer(places(kept, [2, 0])), .streamed)
        #expect(value["hits"] == nil)
        #expect(value["order"] == ["a.one:2", "a.one:0"])
    }

    private func joined(_ page: CachedPage, _ index: Int, with sources: [String]) -> HitPosition {
        var hit = HitPosition(page: page, index: index)
        hit.duplicates = sources.enumerated().map { place, source in
            HitPosition.Duplicate(
                source: sourceName(source),
                id: "\(source):9",
                sourceIndex: place + 1,
                rank: 7,
                counts: true
            )
        }
        return hit
    }

    @Test(arguments: [false, true]) func `alsoFrom is the last member of a hit, and only raw may follow`(raw: Bool)
        throws
    {
        var hits = (0..<4).map { hit("a.one", $0) }
        hits[1].raw = Array(#"{"a":1}"#.utf8)[...]
        let kept = cachedPage(Page(hits: hits, isEnd: true))
        let plain = places(kept, 0..<4)
        var mixed = plain
        mixed[1] = joined(kept, 1, with: ["b.two", "c.three"])
        mixed[2] = joined(kept, 2, with: ["c.three"])
        let alone = try written(answer(plain), .whole(raw: raw))["hits"]?.array ?? []
        let shown = try written(answer(mixed), .whole(raw: raw))["hits"]?.array ?? []
        #expect(shown.count == 4 && shown[0] == alone[0] && shown[3] == alone[3])
        #expect(shown[1]["alsoFrom"] == ["b.two", "c.three"])
        #expect(shown[2]["alsoFrom"] == ["c.three"])
        #expect(shown[1].members?.last?.name == (raw ? "raw" : "alsoFrom"))
        #expect(shown[2].members?.filter { $0.name != "alsoFrom" } == alone[2].members)
        for (place, value) in zip(mixed, shown) {
            var writer = JSONWriter()
            writer.hit(place, withRaw: raw)
            #expect(try JSONDocument(writer.bytes).root.value == value)
        }
    }

    @Test func `a streamed result has alsoFrom and sameAs for hits that several sources found`() throws {
        let kept = cachedPage(page("a.one", 0..<3))
        let value = try written(answer([joined(kept, 2, with: ["b.two"])] + places(kept, 0..<1)), .streamed)
        #expect(value["order"] == ["a.one:2", "a.one:0"])
        #expect(value["alsoFrom"] == ["a.one:2": ["b.two"]])
        #expect(value["sameAs"] == ["a.one:2": ["b.two:9"]])
        let alone = try written(answer(places(kept, 0..<1)), .streamed)
        #expect(alone["alsoFrom"] == nil && alone["sameAs"] == nil)
    }

    @Test func `the report of a failed source has an error and no age`() throws {
        var failed = SourceReport(source: sourceName("b.two"), status: .late)
        failed.error = SearchError(.timeout, "too late", source: failed.source, retryable: true)
        failed.isSortedByDaemon = true
        var answer = answer([])
        answer.sources.append(failed)
        let value = try written(answer)
        #expect(
            value["sources"]?[1] == [
                "source": "b.two", "status": "late", "count": 0, "end": false, "sortedBy": "daemon",
                "elapsed": decimal("0.0"),
                "error": [
                    "code": -32007, "message": "too late",
                    "data": ["kind": "timeout", "source": "b.two", "retryable": true],
                ],
            ]
        )
        #expect(value["complete"]?.bool == false)
    }

    @Test func `a skipped source has a reason and a retry time, and the answer remains complete`() throws {
        var skipped = SourceReport(source: sourceName("b.two"), status: .skipped)
        skipped.reason = .suspended
        skipped.retryAfter = .nanoseconds(1_000_001)
        var answer = answer([])
        answer.sources.append(skipped)
        let value = try written(answer)
        #expect(
            value["sources"]?[1] == [
                "source": "b.two", "status": "skipped", "count": 0, "end": false, "elapsed": decimal("0.0"),
                "reason": "suspended", "retryAfter": 2,
            ]
        )
        #expect(value["complete"]?.bool == true)
        #expect(!answer.isFromCache)

        // If a query is too short, a repeated search would skip the source again, so the answer is complete.
        answer.sources[1].reason = .tooShort
        #expect(answer.isComplete)
        answer.sources[1].reason = .unfinished
        #expect(!answer.isComplete)
    }

    @Test func `a trace has its steps in order, with times`() throws {
        var answer = answer([])
        answer.trace = [
            TraceEvent(at: now, source: sourceName("a.one"), event: "cacheMiss") { $0.member("page", 2) },
            TraceEvent(at: now.advanced(by: .microseconds(2590)), source: nil, event: "merged") { writer in
                writer.member("by", "rank")
                writer.member(.elapsed, Duration.microseconds(599))
            },
        ]
        let value = try written(answer)
        #expect(
            value["trace"] == [
                ["at": decimal("0.0"), "source": "a.one", "event": "cacheMiss", "page": 2],
                ["at": 2.5, "event": "merged", "by": "rank", "elapsed": 0.5],
            ]
        )
    }

    @Test(arguments: [
        (0, 1, "0.0"), (99_999_999, 1, "0.0"), (100_000_000, 1, "0.1"), (9_999_999_999, 1, "9.9"),
        (10_000_000_000, 1, "10.0"), (86_400_000_000_000, 1, "86400.0"), (-5, 1, "0.0"), (.max, 1, "9223372036.8"),
        (99_999, 1000, "0.0"), (100_000, 1000, "0.1"), (12_345_678, 1000, "12.3"), (120_000_000_000, 1000, "120000.0"),
    ])
    func `times have one decimal, rounded down`(nanoseconds: Int64, perSecond: Int64, text: String) {
        var bytes: [UInt8] = []
        bytes.append(tenths: nanoseconds, perSecond: perSecond)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
