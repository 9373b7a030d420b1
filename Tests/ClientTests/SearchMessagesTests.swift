import EventLoop
import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct SummaryTextTests {
    private func report(_ value: JSONValue) throws -> SearchReport {
        SearchReport(try JSONDocument(value.bytes).root)
    }

    @Test func `the summary of one cached source has the total, the age and the elapsed time`() throws {
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

    @Test func `a long summary is broken between its parts`() throws {
        let report = try report([
            "sources": [["source": "a.b", "status": "ok", "cache": "hit", "age": 12.3, "total": 1234]],
            "next": "abc", "complete": true, "elapsed": 0.5,
        ])
        let pastEnd = SummaryText(report: report, found: 0, page: 9, total: HitTotal(count: 82, isExact: false))
        #expect(pastEnd.lines()[0].hasPrefix("nothing on page 9: about 82 hits in all"))
        let summary = SummaryText(report: report, found: 10, nextPage: 2)
        #expect(
            summary.lines(columns: 60) == [
                "10 hits of 1,234 · cached 12 s ago · 0.5 ms", "more: searchctl again --page 2",
            ]
        )
        #expect(summary.lines(columns: 10).count == 4)
    }
}

struct SourceTroublesTests {
    /// 2024-03-09T22:00:00+09:00.
    private let now: Int64 = 1_709_989_200

    private func lines(_ errors: [(String?, ClientError)]) -> [String] {
        var troubles = SourceErrors(clock: LocalClock(now: now, zone: .fixed(hours: 9)))
        for (source, error) in errors { troubles.add(error, of: source) }
        return troubles.errors.map(FailureText.line)
    }

    private func exhausted(_ source: String, until reset: String?) -> ClientError {
        var error = ClientError(
            .init(.quotaExhausted),
            "\(source) reports that the quota is used up",
            hint: "Wait until the quota resets",
            retryAfter: .seconds(10_800)
        )
        error.resetsAt = reset
        return error
    }

    @Test func `sources of an account with an exhausted quota share one line with the local reset time`() {
        let sources = ["naver.blog", "naver.news", "naver.cafe"]
        let errors = sources.map { ($0 as String?, exhausted($0, until: "2024-03-09T16:00:00Z")) }
        #expect(lines(errors) == ["searchctl: naver (3 sources): quota used up until tomorrow 01:00."])
        let far = exhausted("kakao.web", until: "2024-03-10T15:30:00Z")
        #expect(lines([("kakao.web", far)]) == ["searchctl: kakao.web: quota used up until 2024-03-11 00:30."])
    }

    @Test func `sources with the same error share one line, also if their accounts differ`() {
        let sources = ["kakao.web", "kakao.blog", "itunes.app"]
        let errors = sources.map { source in
            (
                source as String?,
                ClientError(.init(.unavailable), "\(source) can't be reached", hint: "Try again later.")
            )
        }
        #expect(lines(errors) == ["searchctl: kakao (2 sources), itunes.app: can't be reached. Try again later."])
        let refused = ["kakao.web", "itunes.app"].map { (source: String) -> (String?, ClientError) in
            (source, ClientError(.init(.unavailable), "\(source): no connection to host: refused"))
        }
        #expect(lines(refused) == ["searchctl: kakao.web, itunes.app: no connection to host: refused."])
    }

    @Test func `at most three causes are printed, and then the number of other failed sources`() {
        var troubles = SourceErrors(clock: LocalClock(now: now, zone: .fixed(hours: 9)))
        for number in 1...5 {
            troubles.add(ClientError(.init(.badResponse), "answered 50\(number)"), of: "s.\(number)")
        }
        #expect(
            troubles.lines(isWhole: false).dropFirst(2) == [
                "searchctl: s.3: answered 503.", "and 2 more failed; --explain shows all",
            ]
        )
        #expect(troubles.lines(isWhole: true).count == 5)
    }
}

@Suite("Suggested queries")
struct DidYouMeanTests {
    @Test func `suggestions are commands with the same options`() {
        #expect(SearchLine.text("안녕", ["--", "dkssud"]) == "searchctl search 안녕")
        let words = ["--source=kakao.*", "--fresh", "--", "x"]
        let quoted = SearchLine.text("it's 고양이", words)
        #expect(quoted == #"searchctl search --source='kakao.*' --fresh 'it'\''s 고양이'"#)
        #expect(SearchLine.text("-x", words) == "searchctl search --source='kakao.*' --fresh -- -x")
        #expect(SearchLine.text("a\u{1B}[2J$(x)", ["--", "x"]).hasSuffix(#"search 'a\u{1b}[2J$(x)'"#))
    }

    @Test func `a suggestion that is more than one letter longer than the query is not shown`() {
        #expect(DidYouMeanText.plausible(["고양이", "고양이 (시집 3)"], for: "ㄱㅇㅇ") == ["고양이"])
        #expect(DidYouMeanText.plausible(["고양이 사료"], for: "ㄱㅇㅇㅅㄹ") == ["고양이 사료"])
        #expect(DidYouMeanText.plausible(["swift", "wifts"], for: "swft") == ["swift", "wifts"])
    }

    @Test func `if nothing is found, similar queries are suggested, except with --json or --quiet`() throws {
        let directory = TemporaryDirectory()
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [
                .search:
                    #"{"query":"dkssud","sort":"relevance","hits":[],"sources":[],"next":null,"complete":true,"didYouMean":["안녕"]}"#
            ]
        )
        let text = Run("search", "--plain", "dkssud", in: directory, socket: daemon.path)
        #expect(text.status == .nothingFound && text.output.isEmpty)
        #expect(text.errors.contains("Did you mean: searchctl search --plain 안녕\n"))
        #expect(Run("search", "dkssud", in: directory, socket: daemon.path).errors.hasPrefix("nothing found\n"))
        #expect(Run("search", "--json", "dkssud", in: directory, socket: daemon.path).errors.isEmpty)
        #expect(!Run("search", "--plain", "-q", "dkssud", in: directory, socket: daemon.path).errors.contains("mean"))
    }
}
