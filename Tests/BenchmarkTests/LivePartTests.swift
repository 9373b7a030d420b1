import Testing

@testable import Benchmark

@Suite struct LivePartTests {
    @Test func `only the screen is measured when it is named`() throws {
        let options = try Options(arguments: ["live", "--rounds", "2"])
        #expect(options.parts == [.live] && options.peers == [.searchd] && options.rounds == 2)
        #expect(try !Options(arguments: []).parts.contains(.live))
        #expect(try Options(arguments: ["--parts", "idle,live"]).parts == [.idle, .live])
    }

    @Test func `a program shows on its terminal what is typed, and is told what kind that is`() throws {
        let program = try TerminalProgram(Command(program: "cat"))
        try program.type("고양이\r")
        let shown = try program.shown(quietFor: .milliseconds(1), until: "고양이")
        #expect(try #require(shown.endedAt) > program.startedAt)
        let script = #"stty -icanon -echo; printf '\033[c'; printf '%s letters' "$(head -c 9 | wc -c)"; tty"#
        let asking = try TerminalProgram(Command(program: "sh", arguments: ["-c", script]))
        let answered = try asking.shown(quietFor: .milliseconds(1), until: "/dev/pts/")
        #expect(ScreenText.plain(answered.bytes).contains("9 letters"))
        #expect(asking.process.exitStatus() == 0)
    }

    @Test func `what does not come in time is a failure, and no hang`() throws {
        let program = try TerminalProgram(Command(program: "cat"))
        #expect(throws: BenchmarkError.self) {
            try program.shown(quietFor: .milliseconds(1), until: "nothing", patience: .milliseconds(1))
        }
        #expect(try program.shown(quietFor: .milliseconds(1)).endedAt == nil)
    }

    @Test func `a screen is read without its sequences`() {
        let bytes = Array(
            "\u{1B}[2J\u{1B}[24;1H 2 of \u{1B}[1m1,030\u{1B}[0m loaded · 12,816 by scrolling\u{1B}7x".utf8
        )
        let text = ScreenText.plain(bytes)
        #expect(ScreenText.loaded(text) == 1030)
        #expect(text.hasSuffix("by scrolling x"))
        #expect(ScreenText.loaded("nothing is loaded") == nil && ScreenText.loaded("loaded") == nil)
        #expect(ScreenText.plain([0x1B]) == " " && ScreenText.plain([0x1B, 0x5B]) == " ")
    }

    @Test func `every text is typed to its end, and every beginning of one is cached before`() {
        #expect(TypedTexts.keys.count == TypedTexts.count)
        #expect(Set(TypedTexts.beginnings).count == TypedTexts.beginnings.count)
        for keys in TypedTexts.keys { #expect(TypedTexts.beginnings.contains(keys.joined())) }
        #expect(!TypedTexts.beginnings.contains { $0.last == " " })
    }

    @Test func `the 99th percentile of few is the slowest`() {
        let keystrokes = (1...100).map { LivePart.Keystroke(nanoseconds: Double($0), bytes: 10) }
        #expect(LiveReport.percentiles(keystrokes) == (50, 99))
        #expect(LiveReport.percentiles(Array(keystrokes.prefix(10))) == (5, 10))
        #expect(LiveReport.percentiles([]) == (.infinity, .infinity))
    }

    @Test func `a report misses its targets where the figures do`() throws {
        var figures = LivePart.Figures()
        figures.live = [LivePart.Keystroke(nanoseconds: 2e6, bytes: 2048)]
        figures.fzf = [LivePart.Keystroke(nanoseconds: 1e6, bytes: 100)]
        (figures.starts, figures.pings) = ([3e6], [2e6])
        figures.scrolled = (10_000, 64 << 20)
        let options = try Options(arguments: ["live"])
        #expect(LiveReport.section(figures, options).verdicts.allSatisfy { $0.passed })
        #expect(LiveReport.section(figures, options).failures.isEmpty)
        figures.live = [LivePart.Keystroke(nanoseconds: 2.1e6, bytes: 2049)]
        figures.starts = [3.1e6]
        figures.wakeUps = 1
        figures.scrolled = (9_999, 1 << 20)
        figures.calls = 1
        #expect(LiveReport.section(figures, options).verdicts.allSatisfy { !$0.passed })
        #expect(LiveReport.section(figures, options).failures.count == 1)
    }
}
