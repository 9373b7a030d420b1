import EventLoop
import Glibc
import Hangul
import RPC
import Terminal
import TestSupport
import Testing

@testable import Client
@testable import FullScreen

struct LiveScreenTests {
    private func script(columns: Int, rows: Int) throws -> LiveScript {
        var live = LiveScript(columns: columns, rows: rows)
        live.type("고양이")
        try live.hits("하나", "둘", "셋")
        let saved = #""a.b:둘""#
        try live.answer(.search, LiveScript.end("하나", "둘", "셋", next: "more", saved: saved))
        return live
    }

    @Test func `a terminal of normal size shows all areas`() throws {
        var live = try script(columns: 80, rows: 12)
        live.press(.down)
        #expect(
            live.lines == [
                "search› 고양이",
                "",
                "▌  제목 하나",
                "▌  a.b · a.example/하나",
                " ★ 제목 둘",
                "   a.b · a.example/둘",
                "   제목 셋",
                "   a.b · a.example/셋",
                "", "",
                " ✓ a.b",
                " 1 of 1,234                                            / search  ? help  q quit",
            ]
        )
    }

    @Test func `a small terminal shows only the query, the hits and the status`() throws {
        let live = try script(columns: 20, rows: 5)
        #expect(live.lines == ["› 고양이", "▌ 제목 하나", " ★제목 둘", "  제목 셋", "1 of 1,234"])
    }

    @Test func `a wide terminal shows the details on the right`() throws {
        var live = try script(columns: 120, rows: 12)
        live.press(.down)
        live.type("d")
        #expect(live.lines[2].hasPrefix("▌  제목 하나"))
        #expect(live.lines[2].contains("│제목 하나"))
        #expect(live.lines[4].hasPrefix(" ★ 제목 둘"))
    }

    @Test func `lines of the details fit their area`() throws {
        var live = LiveScript(columns: 100, rows: 24)
        live.type("고양이")
        let address = "https://a.example/" + String(repeating: "가나", count: 40) + "?end"
        try live.hits([#"{"id":"a.b:1","source":"a.b","kind":"web","title":"제목","url":"\#(address)"}"#])
        live.press(.down)
        live.type("d")
        let area = try #require(live.model.layout.details)
        let lines = live.model.details?.lines(columns: area.columns, zone: .fixed(hours: 9)) ?? []
        #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= area.columns })
        #expect(lines.joined().contains("?end"))
    }

    @Test func `text from the web cannot control the terminal`() throws {
        var live = LiveScript()
        live.type("x")
        let hit =
            #"{"id":"a:1","source":"a","title":"a\u001b[2J\u202eb\nc","snippet":"\u009b31m","url":"https://e/\u0007"}"#
        try live.hits([hit])
        #expect(live.lines[2].contains(#"a\u{1b}[2J\u{202e}b\u{a}c"#))
        var painter = Painter(Capabilities(hasColours: true))
        let bytes = painter.bytes(for: live.screen)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{202E}"))
        #expect(live.lines.allSatisfy { $0.unicodeScalars.allSatisfy { VisibleText.isSafe($0) } })
    }

    @Test func `the status of sources lists failed sources first, then waiting, then finished sources`() throws {
        var live = LiveScript(columns: 100)
        live.type("x")
        let id = live.sent.last { $0.method == .search }?.id ?? 0
        try live.notify("search/source", #"{"request":\#(id),"source":"a.b","status":"ok","cache":"hit","age":130}"#)
        try live.notify("search/source", #"{"request":\#(id),"source":"c.d","status":"queued","wait":800}"#)
        let error = #"{"code":-32005,"message":"HTTP 503","data":{"kind":"unavailable"}}"#
        try live.notify("search/source", #"{"request":\#(id),"source":"e.f","status":"failed","error":\#(error)}"#)
        try live.notify("search/progress", #"{"request":\#(id),"answered":2,"asked":3,"waitingFor":["c.d"]}"#)
        let names = live.lines[22].split { " :".contains($0) }.filter { ["a.b", "c.d", "e.f"].contains($0) }
        #expect(names == ["e.f", "c.d", "a.b"])
    }

    @Test func `the help lists all keys, and no key has two actions`() {
        for table in [LiveKeys.list, LiveKeys.field] {
            let events = (table + LiveKeys.always).flatMap(\.events)
            #expect(events.indices.filter { events[..<$0].contains(events[$0]) }.map { events[$0] } == [])
        }
        let bound = Set((LiveKeys.list + LiveKeys.field + LiveKeys.always).map(\.action))
        #expect(LiveAction.allCases.filter { !bound.contains($0) } == [])
        for columns in [20, 80, 120, 400] {
            let text = LiveHelp.lines(columns: columns).joined(separator: "\n")
            #expect(LiveKeys.list.allSatisfy { text.contains($0.label) })
            #expect(!text.contains { "…" == $0 })
        }
    }

    @Test func `kinds and sources are chosen from a list`() throws {
        var live = try script(columns: 80, rows: 24)
        live.press(.down)
        live.type("K")
        try live.answer(.sourceList, Documents.list(Documents.source("a.b"), Documents.source("c.d")))
        #expect(live.lines[2] == "▌   web  a.b, c.d")
        live.press(.enter)
        #expect(live.model.search.kinds == ["web"])
        #expect(live.params(of: .search).last?.contains(#""kinds":["web"]"#) == true)
        live.type("f")
        try live.answer(.sourceList, Documents.list(Documents.source("a.b"), Documents.source("c.d")))
        live.type("j ")
        #expect(live.lines[3].hasPrefix("▌ ✓ c.d"))
        live.press(.enter)
        #expect(live.lines[1] == " c.d · web")
    }
}

struct LiveCommandTests {
    private let directory = TemporaryDirectory()

    private func daemon(hit: String = LiveScript.hit("1")) throws -> FakeDaemon {
        let end = LiveScript.end().replacing(#""order":[]"#, with: #""hits":[\#(hit)]"#)
        return try FakeDaemon(
            at: directory.file("socket"),
            [
                .hello: Documents.hello(user: 0), .historyList: #"{"entries":[]}"#, .suggest: #"{"suggestions":[]}"#,
                .libraryList: #"{"items":[],"total":0,"revision":3,"next":null}"#, .sourceList: Documents.list(),
                .libraryWatch: #"{"subscription":1,"revision":3,"inserted":[],"updated":[],"deleted":[]}"#,
                .search: end, .image: #"{"type":"image/png","data":"\#(PictureDrawerTests.png)","bytes":464}"#,
            ]
        )
    }

    private func context(_ terminal: PseudoTerminal, _ variables: [String: String] = [:]) -> Context {
        var console = terminal.console
        console.input = terminal.program
        let usual = ["TERM": "xterm", "LANG": "C.UTF-8"]
        let environment = Environment(usual.merging(variables) { $1 })
        return Context(console: console, commands: Run.commands, environment: environment)
    }

    @Test func `a picture is fetched, drawn by chafa and shown`() throws {
        let daemon = try daemon(hit: LiveScript.pictured("1"))
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        _ = try WorkerThread {
            _ = try? terminal.shown(until: "Hits appear")
            terminal.type("고")
            // Only a picture has a background colour.
            _ = try? terminal.shown(until: ";48;2;")
            terminal.type("\rq")
            _ = try? terminal.shown(until: "\u{1B}[?1049l")
        }
        let variables = ["TERM": "linux", "COLORTERM": "truecolor", "PATH": "/usr/bin:/usr/local/bin"]
        #expect(Searchctl.run(["--socket", daemon.path, "live"], context(terminal, variables)) == .found)
        #expect(daemon.params(of: .image) == [#"{"url":"https://pictures.example/1.jpg"}"#])
    }

    @Test func `a dumb terminal is refused with a hint`() {
        let dumb = Run("live", in: directory, socket: "/x", isTerminal: true, environment: ["TERM": "dumb"])
        #expect(dumb.status == .usage)
        #expect(dumb.errors.contains("searchctl search"))
        let piped = Run("live", in: directory, socket: "/x")
        #expect(piped.status == .usage)
    }

    @Test(arguments: [("", ""), ("a", "YQ=="), ("ab", "YWI="), ("abc", "YWJj"), ("고", "6rOg")])
    func `text for the clipboard is sent as base64`(text: String, base64: String) {
        #expect(Clipboard.sequence(text) == Array("\u{1B}]52;c;\(base64)\u{7}".utf8))
    }
}

struct TextFieldTests {
    private func field(_ text: String, _ operations: TextField.Operation...) -> TextField {
        var field = TextField(text)
        for operation in operations { field.perform(operation) }
        return field
    }

    private func shown(_ field: TextField) -> String {
        String(field.graphemes[..<field.cursor]) + "|" + String(field.graphemes[field.cursor...])
    }

    @Test func `the cursor can move by words, and words can be deleted`() {
        #expect(shown(field("고양이 사료 추천", .wordLeft)) == "고양이 사료 |추천")
        #expect(shown(field("고양이 사료 추천", .wordLeft, .wordLeft)) == "고양이 |사료 추천")
        #expect(shown(field("고양이 사료 추천", .start, .wordRight)) == "고양이| 사료 추천")
        #expect(shown(field("고양이 사료  ", .deleteWord)) == "고양이 |")
        #expect(shown(field("고양이 사료", .start, .deleteWordRight)) == "| 사료")
        #expect(shown(field("고양이", .left, .deleteToStart)) == "|이")
        #expect(shown(field("고양이", .left, .deleteToEnd)) == "고양|")
        #expect(shown(field("", .deleteLeft, .deleteRight, .deleteWord, .left, .right, .wordLeft)) == "|")
    }

    @Test func `letters of an input method are composed into syllables`() {
        var field = TextField()
        let typed = "ㄱ\u{7F}고\u{7F}공\u{7F}고야\u{7F}양"
        var decoder = InputDecoder()
        for event in decoder.received(typed.utf8) { _ = field.receive(event) }
        #expect(field.text == "고양")
        // These letters form a syllable only together.
        for scalar in "\u{110B}\u{1175}".unicodeScalars { _ = field.receive(.text(String(scalar))) }
        #expect(Array(field.text.unicodeScalars) == Array("고양이".unicodeScalars))
        field.perform(.deleteLeft)
        #expect(field.text == "고양")
    }

    @Test func `a paste becomes one line without control characters`() {
        var field = TextField("a")
        _ = field.receive(.paste("b\r\nc\u{1B}[2J\td\u{202E}"))
        #expect(field.text == "ab  c[2J d")
    }

    @Test func `a text field accepts at most 1,024 bytes, the maximum length of a query`() {
        var field = TextField(String(repeating: "a", count: 1023))
        field.insert("가")
        #expect(field.text.utf8.count == 1023)
        field.insert("b")
        field.insert("c")
        #expect(field.text.utf8.count == 1024)
    }

    @Test func `the cursor is always in view`() {
        let field = TextField("고양이와 강아지")
        #expect(field.shown(columns: 40) == ("고양이와 강아지", 15))
        let narrow = field.shown(columns: 8)
        #expect(narrow.cursor < 8)
    }

    @Test func `after random keys the cursor is within the text`() {
        var random = SeededGenerator(seed: testSeed())
        let texts = ["가", " ", "\u{1100}", "\u{1161}", "\u{301}", "e", "👩‍👩‍👧", "\u{200D}", "𝒳"]
        for _ in 0..<100 {
            var field = TextField()
            for _ in 0..<40 {
                if Bool.random(using: &random) {
                    field.insert(texts.randomElement(using: &random) ?? "")
                } else {
                    field.perform(TextField.Operation.allCases.randomElement(using: &random) ?? .left)
                }
                #expect((0...field.graphemes.count).contains(field.cursor))
                #expect(field.shown(columns: 10).cursor < 10)
            }
        }
    }
}
