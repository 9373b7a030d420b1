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
        let run = try run(["--all", "--since", "2024", "--plain"], error: Self.error("unavailable", source: nil))
        #expect(run.status == .found)
        #expect(run.output.contains("하나"))
        #expect(run.errors == "searchctl: it is out.\n1 hit · 1.0 ms\n")
    }

    @Test(arguments: [("unavailable", 75), ("unauthorized", 77)])
    func `with nothing found before, the error has its own status`(kind: String, status: Int) throws {
        let run = try run(["--all", "--since", "2025"], hits: [], error: Self.error(kind))
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

    /// A daemon that looks at a thousand hits for each request and keeps so many; what is printed, and was asked.
    private func filtered(_ words: [String], kept: [Int]) throws -> (run: Run, requests: [JSONCursor]) {
        let asked = Seen()
        let directory = TemporaryDirectory()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            for (index, count) in kept.enumerated() {
                guard let line = try connection.line() else { break }
                asked.add(line)
                let hits = (0..<count).map {
                    #"{"id":"a.b:\#(index)-\#($0)","source":"a.b","title":"\#(index)-\#($0)"}"#
                }
                let next = index == kept.count - 1 ? "null" : "\"more\""
                try connection.send(
                    #"{"id":\#(index + 1),"result":{"hits":[\#(hits.joined(separator: ","))],"next":\#(next),"#
                        + #""sources":[{"source":"a.b","status":"ok","total":5000}],"complete":true,"elapsed":1,"#
                        + #""filtered":{"looked":1000,"kept":\#(count)}}}"#
                )
            }
            _ = try connection.rest()
        }
        let run = Run(["search", "x"] + words, in: directory, socket: daemon.path)
        return (run, try asked.lines.map { try JSONDocument(Array($0.utf8)).root[.params] }.compactMap(\.self))
    }

    @Test func `nothing typed yet is nothing found, which no daemon is asked for`() {
        let words = ["search", "--typing", "--format", "alfred", ""]
        let run = Run(words, in: directory, socket: directory.file("none"))
        #expect(run.status == .nothingFound && run.output == "{\"items\":[]}\n" && run.errors.isEmpty)
    }

    @Test func `the daemon filters, and one request is enough`() throws {
        let words = ["--site", "example.org", "--has", "url,author", "--since", "2024-03-07", "-n", "2"]
        let (run, requests) = try filtered(words + ["--plain"], kept: [2, 0])
        #expect(run.status == .found && requests.count == 1)
        #expect(requests[0][.filter]?[.site]?.string == "example.org")
        #expect(requests[0][.filter]?[.has]?.elements.compactMap(\.string) == ["url", "author"])
        #expect(requests[0][.filter]?[.since]?.string?.hasPrefix("2024-03-07T00:00:00") == true)
        // What the sources claim is without the filter.
        #expect(run.errors == "2 hits · 1.0 ms · more: searchctl again --page 2\n")
    }

    @Test func `a page that is left out is the daemon's to leave out`() throws {
        let (_, requests) = try filtered(["--until", "2024", "-n", "2", "--page", "3"], kept: [1])
        #expect(requests[0][.offset]?.int == 4)
    }

    @Test func `where the daemon has looked at enough, the summary tells how to look at all`() throws {
        let some = try filtered(["--has", "author", "--plain"], kept: [3, 0]).run
        #expect(some.errors == "3 hits · 1.0 ms · looked at the first 1,000 hits; --all looks at all\n")
        let none = try filtered(["--has", "author", "--plain"], kept: [0, 0]).run
        #expect(none.status == .nothingFound)
        let told =
            "none of 1,000 hits passes the filter · 1.0 ms · looked at the first 1,000 hits; --all looks at all\n"
        #expect(none.errors == told)
    }

    @Test func `all looks behind pages of which nothing is left`() throws {
        let (run, requests) = try filtered(["--has", "author", "--all", "--plain"], kept: [1, 0, 2])
        #expect(requests.count == 3)
        #expect(run.errors == "3 hits · 3.0 ms\n")
        let none = try filtered(["--has", "author", "--all", "--plain"], kept: [0, 0, 0])
        #expect(none.run.errors == "none of 3,000 hits passes the filter · 3.0 ms\n")
    }
}
