import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

/// Searches that take page after page, and what a page that fails makes of them.
struct SearchPagesTests {
    private let directory = TemporaryDirectory()

    private static let hit = #"{"id":"a.b:1","source":"a.b","title":"하나","published":"2024-03-09T00:00:00Z"}"#

    private static func error(_ kind: String, code: Int = -32005, source: String? = "a.b") -> String {
        let source = source.map { #","source":"\#($0)""# } ?? ""
        return #"{"code":\#(code),"message":"it is out","data":{"kind":"\#(kind)"\#(source)}}"#
    }

    /// A daemon with these hits on its first page, and an error or nothing at all for the second.
    private func run(_ words: [String] = ["--all"], hits: [String] = [hit], error: String?) throws -> Run {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(
                #"{"jsonrpc":"2.0","id":1,"result":{"hits":[\#(hits.joined(separator: ","))],"#
                    + #""sources":[{"source":"a.b","status":"ok"}],"next":"more","complete":true,"elapsed":1}}"#
            )
            _ = try connection.line()
            if let error { try connection.send(#"{"jsonrpc":"2.0","id":2,"error":\#(error)}"#) }
        }
        return Run(["search", "x", "-s", "a.b"] + words, in: directory, socket: daemon.path)
    }

    @Test(arguments: [
        "rateLimited", "quotaExhausted", "unavailable", "badResponse", "timeout", "unauthorized", "notConfigured",
        "overloaded",
    ])
    func `sources that fail on a later page are a warning behind what was found`(kind: String) throws {
        let run = try run(error: Self.error(kind))
        #expect(run.status == .found)
        #expect(run.lines == [Self.hit])
        let causes = ["rateLimited": "rate limit reached", "quotaExhausted": "quota used up"]
        #expect(run.errors == "searchctl: a.b: \(causes[kind] ?? "it is out").\n")
    }

    @Test func `with strict they are the status`() throws {
        let run = try run(["--all", "--strict"], error: Self.error("unavailable"))
        #expect(run.status == .sourceFailed)
        #expect(run.lines == [Self.hit])
    }

    @Test func `a search by date that takes pages ends the same way, and what failed may have no name`() throws {
        let run = try run(["--since", "2024", "--plain"], error: Self.error("unavailable", source: nil))
        #expect(run.status == .found)
        #expect(run.output.contains("하나"))
        #expect(run.errors == "searchctl: it is out.\n1 hit · 1.0 ms\n")
    }

    @Test(arguments: [("unavailable", 75), ("unauthorized", 77)])
    func `with nothing found before, the error has its own status`(kind: String, status: Int) throws {
        let run = try run(["--since", "2025", "--sort", "relevance"], error: Self.error(kind))
        #expect(Int(run.status.number) == status)
        #expect(run.errors == "searchctl: a.b: it is out.\n")
    }

    @Test(arguments: [
        ("invalidParams", -32602, 2), ("internal", -32603, 70), ("shuttingDown", -32009, 75),
        ("cancelled", -32800, 130),
    ])
    func `what is no failure of sources stays an error`(kind: String, code: Int, status: Int) throws {
        let run = try run(error: Self.error(kind, code: code))
        #expect(Int(run.status.number) == status)
        #expect(run.lines == [Self.hit])
    }

    @Test func `a daemon that goes away between pages stays an error`() throws {
        let run = try run(error: nil)
        #expect(run.status == .noDaemon)
        #expect(run.lines == [Self.hit])
    }

    /// A daemon without network; its cache has the hit, or nothing.
    private func offline(_ words: [String], isCached: Bool) throws -> Run {
        let directory = TemporaryDirectory()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            let error =
                #"{"code":-32005,"message":"no network","data":{"kind":"unavailable","offline":true,"source":"a.b"}}"#
            for source in ["a.b", "c.d"] {
                try connection.send(
                    #"{"method":"search/source","params":{"request":1,"source":"\#(source)","status":"failed","error":\#(error)}}"#
                )
            }
            try connection.send(#"{"id":1,"error":\#(error)}"#)
            guard try connection.line()?.contains(#""offline":true"#) == true else { return }
            let report = isCached ? #""status":"ok","cache":"offline","age":7200"# : #""status":"skipped""#
            try connection.send(
                #"{"id":2,"result":{"hits":[\#(isCached ? Self.hit : "")],"sources":[{"source":"a.b",\#(report)}],"elapsed":1}}"#
            )
            _ = try connection.rest()
        }
        return Run(["search", "x", "--plain"] + words, in: directory, socket: daemon.path)
    }

    @Test func `a machine that is offline is told so once, with what the cache has`() throws {
        let cached = try offline([], isCached: true)
        #expect(cached.status == .found)
        #expect(cached.output.contains("하나"))
        #expect(cached.errors == "searchctl: this machine is offline.\n1 hit · cached 2 h ago · 1.0 ms\n")
        #expect(try offline(["--strict"], isCached: true).status == .sourceFailed)
        let empty = try offline([], isCached: false)
        #expect(empty.status == .tryLater)
        #expect(empty.errors == "searchctl: this machine is offline.\n")
    }

    /// A daemon that has a page for each request, of hits with these dates; what a search by date prints, and was asked.
    private func dated(_ words: [String], pages: [[String?]]) throws -> (run: Run, requests: [JSONCursor]) {
        let asked = Seen()
        let directory = TemporaryDirectory()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            for (index, page) in pages.enumerated() {
                guard let line = try connection.line() else { break }
                asked.add(line)
                let hits = page.enumerated().map { rank, date in
                    let published = date.map { #","published":"\#($0)T00:00:00Z","publishedPrecision":"day""# } ?? ""
                    return #"{"id":"a.b:\#(index)-\#(rank)","source":"a.b","title":"\#(date ?? "-")"\#(published)}"#
                }
                let next = index == pages.count - 1 ? "null" : "\"more\""
                try connection.send(
                    #"{"id":\#(index + 1),"result":{"hits":[\#(hits.joined(separator: ","))],"next":\#(next),"#
                        + #""sources":[{"source":"a.b","status":"ok"}],"complete":true,"elapsed":1}}"#
                )
            }
            _ = try connection.rest()
        }
        let run = Run(["search", "x"] + words, in: directory, socket: daemon.path)
        return (run, try asked.lines.map { try JSONDocument(Array($0.utf8)).root[.params] }.compactMap(\.self))
    }

    private static let days = ["2024-03-09", "2024-03-08", "2024-03-07", "2024-03-06"]

    @Test func `a search by date asks for the newest first, and stops where the dates are passed`() throws {
        let (run, requests) = try dated(
            ["--since", "2024-03-07", "-n", "3", "--field", "title"],
            pages: [[Self.days[0], Self.days[1]], [Self.days[2], Self.days[3]], [Self.days[3]]]
        )
        #expect(run.lines == Array(Self.days[..<3]))
        #expect(requests.count == 2)
        #expect(requests.allSatisfy { $0[.sort]?.string == "recency" })
        #expect(requests.map { $0[.limit]?.int } == [3, 100])
        let passed = try dated(
            ["--since", "2024-03-07", "--plain"],
            pages: [[Self.days[0], Self.days[3]], [Self.days[3]]]
        )
        #expect(passed.requests.count == 1)
        #expect(passed.run.errors.hasPrefix("1 hit · "))
    }

    @Test func `an order that was asked for is kept, and then nothing is ever passed`() throws {
        let (run, requests) = try dated(
            ["--since", "2024-03-07", "--sort", "relevance", "--field", "title"],
            pages: [[Self.days[3], Self.days[0]], [Self.days[3]], [Self.days[1]]]
        )
        #expect(run.lines == [Self.days[0], Self.days[1]])
        #expect(requests.map { $0[.sort]?.string } == ["relevance", "relevance", "relevance"])
    }

    @Test func `a further page of dates goes on behind the hits of the right dates that came before`() throws {
        let pages = [[Self.days[0], Self.days[3], nil, Self.days[1]], [Self.days[3], Self.days[2], Self.days[0]]]
        let first = try dated(["--since", "2024-03-07", "--sort", "title", "-n", "2", "--plain"], pages: pages)
        #expect(first.run.errors.contains("more: searchctl again --page 2"))
        let words = ["--since", "2024-03-07", "--sort", "title", "-n", "2", "--page", "2"]
        let (second, requests) = try dated(words + ["--field", "title"], pages: pages)
        #expect(second.lines == [Self.days[2], Self.days[0]])
        #expect(requests.allSatisfy { $0[.offset] == nil })
        #expect(requests.first?[.limit]?.int == SearchParameters.pageLimit)
        let last = try dated(words + ["--plain"], pages: pages)
        #expect(!last.run.errors.contains("more:"))
    }

    @Test func `hits without a date are counted`() throws {
        let (run, _) = try dated(["--since", "2024", "--plain"], pages: [[Self.days[0], nil, nil]])
        #expect(run.errors == "1 hit · 1.0 ms · 2 undated hits left out\n")
    }

    @Test func `newer hits are looked through up to a limit, which is told`() throws {
        let pages = Array(repeating: [Self.days[0] as String?], count: SearchCommand.datedPagesMax + 1)
        let (run, requests) = try dated(["--until", "2023", "--plain"], pages: pages)
        #expect(run.status == .nothingFound)
        #expect(requests.count == SearchCommand.datedPagesMax)
        // The newest would have to be passed over first.
        #expect(requests.allSatisfy { $0[.sort] == nil })
        #expect(run.errors == "nothing found · 10 ms · stopped after 10 hits; --sort recency may reach other dates\n")
        let all = try dated(["--until", "2023", "--plain", "--all"], pages: pages)
        #expect(all.requests.count == SearchCommand.datedPagesMax + 1)
    }
}
