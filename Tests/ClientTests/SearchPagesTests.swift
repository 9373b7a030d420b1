import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct SearchPagesTests {
    private let directory = TemporaryDirectory()

    private static let hit = #"{"id":"a.b:1","source":"a.b","title":"하나","published":"2024-03-09T00:00:00Z"}"#

    private static func error(_ kind: String, code: Int = -32005, source: String? = "a.b") -> String {
        let source = source.map { #","source":"\#($0)""# } ?? ""
        return #"{"code":\#(code),"message":"no connection","data":{"kind":"\#(kind)"\#(source)}}"#
    }

    /// Runs a search of two pages.
    ///
    /// The first page has `hits`. The request for the second page gets `error` or no answer.
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
    func `if sources fail on a later page, a warning follows the hits`(kind: String) throws {
        let run = try run(error: Self.error(kind))
        #expect(run.status == .found)
        #expect(run.lines == [Self.hit])
        #expect(run.errors.contains("a.b"))
    }

    @Test(arguments: [("unavailable", 75), ("unauthorized", 77)])
    func `if a source fails before any hit, its error sets the exit status`(kind: String, status: Int) throws {
        let run = try run(["--all", "--since", "2025"], hits: [], error: Self.error(kind))
        #expect(Int(run.status.number) == status)
        #expect(run.errors.contains("a.b"))
    }

    @Test(arguments: [
        ("invalidParams", -32602, 2), ("internal", -32603, 70), ("shuttingDown", -32009, 75),
        ("cancelled", -32800, 130),
    ])
    func `an error of the whole search sets the exit status`(kind: String, code: Int, status: Int) throws {
        let run = try run(error: Self.error(kind, code: code))
        #expect(Int(run.status.number) == status)
        #expect(run.lines == [Self.hit])
    }

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

    @Test func `an offline machine is reported once, and cached hits are printed`() throws {
        let cached = try offline([], isCached: true)
        #expect(cached.status == .found)
        #expect(cached.output.contains("하나"))
        #expect(cached.errors.contains("offline"))
        #expect(try offline(["--strict"], isCached: true).status == .sourceFailed)
        let empty = try offline([], isCached: false)
        #expect(empty.status == .tryLater)
        #expect(empty.errors.contains("offline"))
    }

    /// Runs a search with a filter.
    ///
    /// `kept` has the number of hits in each answer.
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

    @Test func `with --typing, an empty query finds nothing and needs no daemon`() {
        let words = ["search", "--typing", "--json", ""]
        let run = Run(words, in: directory, socket: directory.file("none"))
        #expect(run.status == .nothingFound && run.output.isEmpty && run.errors.isEmpty)
    }

    @Test func `a search with a filter needs only one request`() throws {
        let words = ["--site", "example.org", "--has", "url,author", "--since", "2024-03-07", "-n", "2"]
        let (run, requests) = try filtered(words + ["--plain"], kept: [2, 0])
        #expect(run.status == .found && requests.count == 1)
        #expect(requests[0][.filter]?[.site]?.string == "example.org")
        #expect(requests[0][.filter]?[.has]?.elements.compactMap(\.string) == ["url", "author"])
        #expect(requests[0][.filter]?[.since]?.string?.hasPrefix("2024-03-07T00:00:00") == true)
        // The summary has no total, because the totals of sources ignore the filter.
        #expect(run.errors == "2 hits · 1.0 ms · more: searchctl again --page 2\n")
    }

    @Test func `--all continues after pages without matching hits`() throws {
        let (run, requests) = try filtered(["--has", "author", "--all", "--plain"], kept: [1, 0, 2])
        #expect(requests.count == 3)
        #expect(run.errors == "3 hits · 3.0 ms\n")
        let none = try filtered(["--has", "author", "--all", "--plain"], kept: [0, 0, 0])
        #expect(none.run.errors == "--has author left out all of 3,000 hits · 3.0 ms\n")
    }

    @Test func `if --until left out the newest hits, the summary suggests another order`() throws {
        let words = ["--until", "2023", "--plain"]
        let newest = try filtered(words + ["--sort", "recency"], kept: [0, 0]).run.errors
        let examined = "--until 2023 left out all of 1,000 hits · 1.0 ms · examined the first 1,000 hits; "
        #expect(newest == examined + "for older ones, use --sort relevance or --all\n")
        #expect(try filtered(words, kept: [0, 0]).run.errors == examined + "--all examines all\n")
    }
}

struct SearchArrivalTests {
    private let directory = TemporaryDirectory()

    private static func hit(_ source: String, _ number: Int, _ more: String = "") -> String {
        #"{"id":"\#(source):\#(number)","source":"\#(source)","title":"\#(source) \#(number)"\#(more)}"#
    }

    private static func told(_ request: Int = 1, _ hits: String...) -> String {
        #"{"jsonrpc":"2.0","method":"search/hits","params":{"request":\#(request),"hits":["#
            + hits.joined(separator: ",") + "]}}"
    }

    private static func progress(_ request: Int = 1) -> String {
        #"{"jsonrpc":"2.0","method":"search/progress","params":{"request":\#(request),"answered":0,"asked":2}}"#
    }

    private static func answer(
        _ request: Int = 1,
        _ order: [String],
        _ more: String = "",
        next: String = "null"
    ) -> String {
        let ids = order.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"jsonrpc":"2.0","id":\#(request),"result":{"query":"x","sort":"relevance","order":[\#(ids)]\#(more),"#
            + #""sources":[],"next":\#(next),"complete":true,"elapsed":0.5}}"#
    }

    /// The messages of a search with a limit of four hits.
    ///
    /// Two sources have three hits each, and one hit is in both.
    private static let quick = told(1, hit("a.b", 1), hit("a.b", 2), hit("a.b", 3))
    private static let slow = told(1, hit("c.d", 1, #","alsoFrom":["a.b"]"#), hit("c.d", 2), hit("c.d", 3))
    private static let end = answer(
        1,
        ["c.d:1", "c.d:2", "a.b:2", "c.d:3"],
        #","alsoFrom":{"c.d:1":["a.b"]},"sameAs":{"c.d:1":["a.b:1"]}"#
    )

    private func lines(_ arguments: [String] = [], told: [String], seen: Seen = Seen()) throws -> [String] {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            seen.add(try connection.line())
            for line in told { try connection.send(line) }
            _ = try connection.rest()
        }
        let run = Run(["search", "x", "-n", "4"] + arguments, in: directory, socket: daemon.path)
        #expect(run.status == .found)
        return run.lines
    }

    private static let everything = [progress(), quick, slow, end]
    private static let order = ["c.d:1", "c.d:2", "a.b:2", "c.d:3"]

    private static func ids(_ lines: [String]) -> [String] {
        lines.compactMap { line in order.first { line.contains($0) } }
    }

    @Test func `with --stream each hit is printed on arrival, up to the limit`() throws {
        let seen = Seen()
        let printed = try lines(["--stream"], told: Self.everything, seen: seen)
        let expected = [("a.b", 1), ("a.b", 2), ("a.b", 3)].map { Self.hit($0, $1) }
        #expect(printed == expected + [Self.hit("c.d", 1, #","alsoFrom":["a.b"]"#)])
        #expect(!seen.lines.joined().contains("progress"))
    }

    @Test func `streamed hits reach the reader before the answer`() throws {
        let hasSeen = Pipe()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(Self.quick)
            // If the hits did not reach the reader before the answer, this call would wait forever.
            _ = try DescriptorIO.read(hasSeen.reading, bytesMax: 1)
            try connection.send(Self.slow, Self.end)
        }
        let output = Pipe()
        let first = Seen()
        _ = try WorkerThread {
            let bytes = (try? DescriptorIO.read(output.reading, bytesMax: 4096)) ?? []
            first.add(contentsOf: [String(decoding: bytes, as: UTF8.self)])
            hasSeen.signal()
        }
        var console = Console()
        console.output = output.writing
        let context = Context(console: console, environment: Environment([:]))
        #expect(Searchctl.run(["--socket", daemon.path, "search", "x", "-n", "4", "--stream"], context) == .found)
        #expect(first.wait(for: 1) == [(1...3).map { Self.hit("a.b", $0) + "\n" }.joined()])
    }

    @Test(arguments: [[], ["--plain"], ["--format", "tsv"], ["--page", "1"], ["--field", "id"]])
    func `without --stream every format prints the merged list in order`(arguments: [String]) throws {
        let printed = try lines(arguments, told: Self.everything).map { $0.replacing("a.b 2", with: "a.b:2") }
        let ids = Self.ids(printed.map { $0.replacing("c.d ", with: "c.d:") })
        #expect(ids == Self.order)
    }

}
