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
            SummaryText.line(report, found: 10, nextPage: 2)
                == "10 hits of about 1,234 · cached (12 s old) · 0.5 ms · more with --page 2"
        )
        #expect(report.status(found: 10, isStrict: true) == .found)
        #expect(report.warnings.isEmpty)
    }

    @Test func `an exact total is not called an estimate`() throws {
        let report = try report(["sources": [["source": "a.b", "status": "ok", "cache": "miss", "total": 20]]])
        #expect(SummaryText.line(report, found: 1, nextPage: nil) == "1 hit of 20")
    }

    @Test func `several sources tell how many were cached and who is missing`() throws {
        let report = try report([
            "sources": [
                ["source": "a.b", "status": "ok", "cache": "stale", "age": 90],
                ["source": "c.d", "status": "ok", "cache": "miss"],
                [
                    "source": "e.f", "status": "failed",
                    "error": [
                        "code": -32003, "message": "asked too often",
                        "data": ["kind": "rateLimited", "retryAfter": 800, "hint": "Wait a little"],
                    ],
                ],
                ["source": "g.h", "status": "late"], ["source": "i.j", "status": "late"],
            ],
            "complete": false, "elapsed": 1200,
        ])
        #expect(
            SummaryText.line(report, found: 3, nextPage: nil)
                == "3 hits · 1 of 2 sources cached, out of date (1 min 30 s old) · 1.2 s · without e.f, g.h, i.j"
        )
        #expect(
            report.warnings.map(FailureText.line) == [
                "searchctl: e.f: asked too often. It may work again in 800 ms. Wait a little.",
                "searchctl: g.h, i.j: it did not answer before the timeout.",
            ]
        )
        #expect(report.status(found: 3, isStrict: false) == .found)
        #expect(report.status(found: 3, isStrict: true) == .sourceFailed)
    }

    @Test func `nothing found says so`() throws {
        let report = try report(["sources": [["source": "a.b", "status": "ok", "cache": "hit"]], "elapsed": 0.1])
        #expect(SummaryText.line(report, found: 0, nextPage: 2) == "nothing found · cached · 0.1 ms")
        #expect(report.status(found: 0, isStrict: false) == .nothingFound)
    }
}
