import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Client

/// When hits of several sources are printed, and in which order.
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

    /// Three hits of each of two sources, one of them in both; the answer wants four.
    private static let quick = told(1, hit("a.b", 1), hit("a.b", 2), hit("a.b", 3))
    private static let slow = told(1, hit("c.d", 1, #","alsoFrom":["a.b"]"#), hit("c.d", 2), hit("c.d", 3))
    private static let end = answer(
        1,
        ["c.d:1", "c.d:2", "a.b:2", "c.d:3"],
        #","alsoFrom":{"c.d:1":["a.b"]},"sameAs":{"c.d:1":["a.b:1"]}"#
    )

    /// What a search prints when its daemon sends these lines.
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

    /// The ids in lines of any format, in their order.
    private static func ids(_ lines: [String]) -> [String] {
        lines.compactMap { line in order.first { line.contains($0) } }
    }

    @Test func `with stream each hit is printed as it comes, up to the limit`() throws {
        let seen = Seen()
        let printed = try lines(["--stream"], told: Self.everything, seen: seen)
        let expected = [("a.b", 1), ("a.b", 2), ("a.b", 3)].map { Self.hit($0, $1) }
        #expect(printed == expected + [Self.hit("c.d", 1, #","alsoFrom":["a.b"]"#)])
        #expect(!seen.lines.joined().contains("progress"))
    }

    @Test func `what is streamed is with the reader before the answer is there`() throws {
        let hasSeen = Pipe()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(Self.quick)
            // Without an end if the reader had to wait for it.
            _ = try Transfers.read(hasSeen.reading, bytesMax: 1)
            try connection.send(Self.slow, Self.end)
        }
        let output = Pipe()
        let first = Seen()
        _ = try WorkerThread {
            let bytes = (try? Transfers.read(output.reading, bytesMax: 4096)) ?? []
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
    func `otherwise every format has the merged list in its order`(arguments: [String]) throws {
        // tsv and plain text have no ids; their titles say the same.
        let printed = try lines(arguments, told: Self.everything).map { $0.replacing("a.b 2", with: "a.b:2") }
        let ids = Self.ids(printed.map { $0.replacing("c.d ", with: "c.d:") })
        #expect(ids == Self.order)
    }

    @Test func `of all pages each is in its own order`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(Self.quick, Self.told(1, Self.hit("c.d", 1)))
            try connection.send(Self.answer(1, ["c.d:1", "a.b:1"], next: #""more""#))
            _ = try connection.line()
            try connection.send(Self.told(2, Self.hit("a.b", 2), Self.hit("c.d", 2)))
            try connection.send(Self.told(2, Self.hit("a.b", 3)), Self.answer(2, ["a.b:2", "c.d:2", "a.b:3"]))
            _ = try connection.rest()
        }
        let run = Run("search", "x", "--all", in: directory, socket: daemon.path)
        let expected = [("c.d", 1), ("a.b", 1), ("a.b", 2), ("c.d", 2), ("a.b", 3)].map { Self.hit($0, $1) }
        #expect(run.lines == expected)
    }
}
