import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Client

/// When hits of several sources are printed where no terminal is.
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

    @Test func `JSON of each source's part is printed as it comes, then the best of the rest`() throws {
        let seen = Seen()
        let printed = try lines(told: Self.everything, seen: seen)
        // c.d:1 is on the first line already.
        #expect(
            printed == [
                Self.hit("a.b", 1), Self.hit("a.b", 2), Self.hit("c.d", 2), Self.hit("c.d", 3),
            ]
        )
        #expect(seen.lines.joined().contains(#""progress":true"#))
    }

    @Test func `what is printed as it comes is with the reader before the answer is there`() throws {
        let hasSeen = Pipe()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(Self.progress(), Self.quick)
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
        #expect(Searchctl.run(["--socket", daemon.path, "search", "x", "-n", "4"], context) == .found)
        #expect(first.wait(for: 1) == [Self.hit("a.b", 1) + "\n" + Self.hit("a.b", 2) + "\n"])
    }

    @Test func `a source that answers nothing leaves its lines to the others`() throws {
        let printed = try lines(
            told: [Self.progress(), Self.quick, Self.answer(1, ["a.b:1", "a.b:2", "a.b:3"])]
        )
        #expect(printed == (1...3).map { Self.hit("a.b", $0) })
    }

    @Test func `never more lines are printed than were asked for`() throws {
        // The first hit fell out of the window: the others have hits that are better.
        let printed = try lines(
            told: [Self.progress(), Self.quick, Self.slow, Self.answer(1, ["c.d:1", "c.d:2", "c.d:3", "a.b:3"])]
        )
        #expect(printed.count == 4)
    }

    @Test(arguments: [["--merged"], ["--sort", "relevance"], ["--page", "1"], ["--offset", "0"], ["--field", "id"]])
    func `who asks for an order gets the whole list in it`(arguments: [String]) throws {
        let printed = try lines(arguments, told: Self.everything).compactMap { line in
            ["c.d:1", "c.d:2", "a.b:2", "c.d:3"].first { line.contains($0) }
        }
        #expect(printed == ["c.d:1", "c.d:2", "a.b:2", "c.d:3"])
    }

    @Test func `unmerged every format does what JSON does`() throws {
        let printed = try lines(["--unmerged", "--field", "id"], told: Self.everything)
        #expect(printed == ["a.b:1", "a.b:2", "c.d:2", "c.d:3"])
        let run = Run("search", "x", "--unmerged", "--merged", in: directory, socket: "/nowhere")
        #expect(run.status == .usage)
    }

    @Test func `of all pages a hit that was printed early is not printed again`() throws {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(Self.progress(), Self.quick, Self.told(1, Self.hit("c.d", 1)))
            try connection.send(Self.answer(1, ["a.b:1", "c.d:1"], next: #""more""#))
            _ = try connection.line()
            try connection.send(Self.progress(2), Self.told(2, Self.hit("a.b", 2), Self.hit("c.d", 2)))
            try connection.send(Self.told(2, Self.hit("a.b", 3)), Self.answer(2, ["a.b:2", "c.d:2", "a.b:3"]))
            _ = try connection.rest()
        }
        let run = Run("search", "x", "--all", in: directory, socket: daemon.path)
        let expected = [("a.b", 1), ("a.b", 2), ("a.b", 3), ("c.d", 1), ("c.d", 2)].map { Self.hit($0, $1) }
        #expect(run.lines == expected)
    }
}
