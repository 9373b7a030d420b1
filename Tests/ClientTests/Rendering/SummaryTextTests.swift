import JSON
import Testing

@testable import Client

struct SummaryTextTests {
    private func report(_ value: JSONValue) throws -> SearchReport {
        SearchReport(try JSONDocument(value.bytes).root)
    }

    @Test func `one cached source tells its total, its age and the time`() throws {
        let report = try report([
            "sources": [
                [
                    "source": "kakao.blog", "status": "ok", "cache": "hit", "age": 12.3, "total": 1234,
                    "totalIsEstimate": true,
                ]
            ],
            "next": "abc", "complete": true, "elapsed": 0.5,
        ])
        #expect(
            SummaryText(report: report, found: 10, nextPage: 2).lines()
                == ["10 hits of about 1,234 · cached 12 s ago · 0.5 ms · more: searchctl again --page 2"]
        )
        #expect(report.failed(waitedForAll: true).isEmpty)
    }

    @Test func `an exact total is not called an estimate`() throws {
        let report = try report(["sources": [["source": "a.b", "status": "ok", "cache": "miss", "total": 20]]])
        #expect(SummaryText(report: report, found: 1).lines() == ["1 hit of 20"])
    }

    @Test func `several sources tell how many were cached, and who was not waited for or not asked`() throws {
        let report = try report([
            "sources": [
                ["source": "a.b", "status": "ok", "cache": "stale", "age": 90],
                ["source": "c.d", "status": "ok", "cache": "miss"],
                ["source": "e.f", "status": "failed"], ["source": "g.h", "status": "late"],
                ["source": "i.j", "status": "late"], ["source": "k.l", "status": "skipped", "reason": "tooShort"],
                ["source": "m.n", "status": "skipped", "reason": "quotaExhausted"],
                ["source": "o.p", "status": "skipped", "reason": "tooShort"],
            ],
            "complete": false, "elapsed": 1200,
        ])
        #expect(
            SummaryText(report: report, found: 3).lines()
                == ["3 hits · 1 of 2 sources cached 1 min ago, being refreshed · 1.2 s"]
        )
        #expect(SummaryText.late(report) == "not waited for: g.h, i.j")
        #expect(SummaryText.skipped(report) == "not asked: k.l, o.p (the query is too short), m.n (quota used up)")
        #expect(report.failed(waitedForAll: true).map(\.name) == ["e.f", "g.h", "i.j"])
        #expect(report.failed(waitedForAll: false).map(\.name) == ["e.f"])
    }

    @Test func `hits without a date that a date leaves out are counted`() throws {
        let report = try report([
            "sources": [["source": "a.b", "status": "ok", "cache": "miss", "total": 20]],
            "filtered": ["looked": 12, "kept": 2, "undated": 3],
        ])
        #expect(SummaryText(report: report, found: 2).lines() == ["2 hits · 3 undated hits left out"])
    }

    @Test func `a query that is not asked for is not said to find nothing`() throws {
        let report = try report(["sources": [["source": "a.b", "status": "skipped", "reason": "unfinished"]]])
        #expect(SummaryText(report: report, found: 0).lines() == ["not searched"])
        let skipped = "not asked: a.b (the last syllable is unfinished; finish it to search)"
        #expect(SummaryText.skipped(report) == skipped)
    }

    @Test func `what an unfinished query was completed to is told, and only then`() throws {
        let completed = SummaryText.completed(try report(["completedQuery": "고양이"]), typed: "고양ㅇ\u{1B}")
        #expect(completed == "Showing hits for “고양이”: the last syllable of “고양ㅇ\\u{1b}” is unfinished.")
        #expect(SummaryText.completed(try report(["query": "고양ㅇ"]), typed: "고양ㅇ") == nil)
    }

    @Test func `nothing found says so`() throws {
        let report = try report(["sources": [["source": "a.b", "status": "ok", "cache": "hit"]], "elapsed": 0.1])
        #expect(SummaryText(report: report, found: 0, nextPage: 2).lines() == ["nothing found · cached · 0.1 ms"])
        #expect(SummaryText.late(report) == nil && SummaryText.skipped(report) == nil)
        #expect(
            SummaryText(report: report, found: 0, isOffline: true).lines()[0].hasPrefix("nothing cached for this query")
        )
    }

    @Test func `a line that is too long is broken between its parts`() throws {
        let report = try report([
            "sources": [["source": "a.b", "status": "ok", "cache": "hit", "age": 12.3, "total": 1234]],
            "next": "abc", "complete": true, "elapsed": 0.5,
        ])
        let summary = SummaryText(report: report, found: 10, nextPage: 2)
        #expect(
            summary.lines(columns: 60) == [
                "10 hits of 1,234 · cached 12 s ago · 0.5 ms", "more: searchctl again --page 2",
            ]
        )
        #expect(summary.lines(columns: 10).count == 4)
    }
}
