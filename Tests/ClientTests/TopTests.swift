import EventLoop
import Glibc
import Hangul
import JSON
import RPC
import Terminal
import TestSupport
import Testing

@testable import Client
@testable import FullScreen

struct TopScreenTests {
    private static func stats(uptime: Int, searches: Int, hits: Int, calls: Int, failed: Int) -> String {
        #"{"uptime":\#(uptime),"requests":{"search":\#(searches),"notifications":99},"#
            + #""searches":{"cache":{"hit":\#(hits),"miss":\#(searches - hits)}},"#
            + #""connections":{"open":3,"inFlight":2},"flights":{"calls":1,"waiters":4},"memory":{"resident":9000000},"#
            + #""upstream":{"kakao.blog":{"200":\#(calls),"latency":{"count":\#(calls),"mean":20}},"#
            + #""위키.한국어":{"timeout":\#(failed)}},"#
            + #""errors":[{"source":"위키.한국어","kind":"timeout","count":\#(failed),"last":"2024-03-09T00:00:00Z"}],"#
            + #""clients":[{"uid":0,"pid":7,"connections":1,"doing":[{"method":"search","count":1,"age":20}]}]}"#
    }

    private static func snapshot(at: Double, _ stats: String) throws -> TopMoment {
        let quota = #"[{"name":"kakao-day","limit":50000,"left":12500}]"#
        let sources = [
            Documents.source("itunes.app"), Documents.source("kakao.blog", quota: quota),
            Documents.source("google.books", enabled: false), Documents.source("위키.한국어", health: "failing"),
        ]
        let snapshot = DaemonSnapshot(
            hello: try SourceEntries.cursor(Documents.hello(version: "1.2.3", user: 0)),
            stats: try SourceEntries.cursor(stats),
            list: try SourceEntries.cursor(#"{"sources":[\#(sources.joined(separator: ","))]}"#),
            clock: LocalClock(now: 1_709_942_400 + Int64(at))
        )
        return TopMoment(snapshot, at: at)
    }

    private static func history() throws -> TopHistory {
        var history = TopHistory(
            try snapshot(at: 10, stats(uptime: 60, searches: 100, hits: 50, calls: 40, failed: 1))
        )
        history.add(try snapshot(at: 12, stats(uptime: 62, searches: 120, hits: 65, calls: 47, failed: 3)))
        return history
    }

    @Test func `after a minute, the table has the calls of the last minute`() throws {
        var history = try Self.history()
        history.add(try Self.snapshot(at: 70, Self.stats(uptime: 120, searches: 120, hits: 65, calls: 47, failed: 3)))
        let lines = TopScreen(history, columns: 80, rows: 24).screen.lines
        #expect(lines.contains { $0.hasPrefix("Source ") && $0.contains("in 1 min") })
        #expect(lines.contains("1 source not called for a minute"))
    }

    @Test func `a terminal of normal size shows all tables`() throws {
        let lines = TopScreen(try Self.history(), columns: 80, rows: 24).screen.lines
        #expect(
            lines == [
                "1 of 3 sources in trouble · searchd 1.2.3, up 62 s",
                "requests 120 in all, 10/s      █",
                "hits 7.5/s, 75 % cached · 2 clients, 2 active · 1 call, 4 waiting · 8.6 MiB",
                "",
                "Source          calls       new   latency  state",
                "kakao.blog         47         7     20 ms  ok",
                "위키.한국어         3         2         –  failing",
                "1 source not called since “top” started",
                "",
                "Quotas",
                "kakao-day  ████░░░░░░░░░░░░ 12,500 of 50,000 left",
                "",
                "Recent errors",
                "12 s ago  위키.한국어: timeout ×3",
                "",
                "Working for",
                "process 7, user 0  search for 20 ms",
            ] + Array(repeating: "", count: 6) + ["q quits"]
        )
    }

    @Test(arguments: [1, 2, 3, 10, 17, 39, 40, 80, 200]) func `no line is wider than the terminal`(
        columns: Int
    ) throws {
        for rows in [1, 2, 4, 7, 12, 24, 60] {
            let screen = TopScreen(try Self.history(), columns: columns, rows: rows)
            let lines = screen.screen.lines
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
        }
    }

    @Test func `scrolling reaches all lines`() throws {
        var screen = TopScreen(try Self.history(), columns: 80, rows: 10)
        let everything = TopScreen(try Self.history(), columns: 80, rows: 60).screen.lines.dropFirst(3)
        var seen: [String] = []
        for _ in 0..<20 {
            seen += screen.screen.lines.dropFirst(3).dropLast().filter { !seen.contains($0) }
            screen = TopScreen(
                try Self.history(),
                columns: 80,
                rows: 10,
                firstLine: screen.firstLine(after: .down)
            )
        }
        #expect(everything.dropLast().allSatisfy { $0.isEmpty || $0.hasPrefix("kakao-day") || seen.contains($0) })
        #expect(screen.firstLine == screen.firstLine(after: .bottom))
        #expect(screen.screen.lines[8] == "process 7, user 0  search for 20 ms")
        #expect(screen.firstLine(after: .pageUp) == screen.firstLine - 5)
        #expect(screen.firstLine(after: .top) == 0)
        #expect(TopScreen(try Self.history(), columns: 80, rows: 60, firstLine: 9).firstLine == 0)
    }

    @Test func `after a restart of the daemon, counters start at zero`() throws {
        var history = try Self.history()
        history.add(try Self.snapshot(at: 13, Self.stats(uptime: 1, searches: 5, hits: 0, calls: 2, failed: 1)))
        #expect(history.rate(\.requests) == 5)
        #expect(history.latency(of: "kakao.blog") == 20)
        #expect(history.latency(of: "itunes.app") == nil)
    }

    @Test func `the latency is the mean of the last minute, or of all calls if the last minute had no calls`() throws {
        func stats(_ uptime: Int, calls: Int, mean: Double) -> String {
            #"{"uptime":\#(uptime),"upstream":{"kakao.blog":{"200":\#(calls),"latency":{"count":\#(calls),"mean":\#(mean)}}}}"#
        }
        var history = TopHistory(try Self.snapshot(at: 0, stats(1_000, calls: 100, mean: 10)))
        #expect(history.latency(of: "kakao.blog") == 10)
        history.add(try Self.snapshot(at: 1, stats(1_001, calls: 200, mean: 20)))
        #expect(history.latency(of: "kakao.blog") == 30)
        history.add(try Self.snapshot(at: 61, stats(1_061, calls: 200, mean: 20)))
        #expect(history.latency(of: "kakao.blog") == 20)
    }

    @Test func `the requests of “searchctl top” are not counted`() throws {
        let stats =
            #"{"uptime":1,"requests":{"server/hello":4,"server/stats":4,"source/list":3,"search":2,"invalid":5}}"#
        let snapshot = DaemonSnapshot(
            hello: try SourceEntries.cursor(Documents.hello(user: 0)),
            stats: try SourceEntries.cursor(stats)
        )
        #expect(TopMoment(snapshot, at: 0).requests == 2)
    }

    @Test func `the history of rates has a maximum length`() throws {
        var history = try Self.history()
        for second in 1...TopHistory.ratesMax + 5 {
            let stats = Self.stats(uptime: 62 + second, searches: 120 + second, hits: 0, calls: 47, failed: 3 + second)
            history.add(try Self.snapshot(at: 12 + Double(second), stats))
        }
        #expect(history.rates.count == TopHistory.ratesMax)
        #expect(history.rates.last == 1)
    }
}

struct TopCommandTests {
    private let directory = TemporaryDirectory()

    @Test func `without a terminal, “searchctl top” fails with a hint`() throws {
        let run = Run("top", in: directory, socket: "/nonexistent/socket")
        #expect(run.status == .usage)
        #expect(run.errors.contains("“top” needs a terminal"))
        let dumb = Run("top", in: directory, socket: "/x", isTerminal: true, environment: ["TERM": "dumb"])
        #expect(dumb.status == .usage)
    }

    @Test func `without a daemon, the error is printed on the normal screen`() throws {
        let terminal = try PseudoTerminal()
        var console = terminal.console
        console.input = terminal.program
        let context = Context(console: console, commands: Run.commands, environment: Environment(["TERM": "xterm"]))
        let words = ["--socket", directory.file("nobody"), "--no-start", "top"]
        #expect(Searchctl.run(words, context) == .noDaemon)
        let shown = try terminal.shown(until: "\r\n")
        #expect(shown.hasPrefix("searchctl: no searchd answers"))
        #expect(terminal.echoes)
    }
}
