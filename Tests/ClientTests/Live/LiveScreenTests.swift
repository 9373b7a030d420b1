import Hangul
import RPC
import Terminal
import Testing

@testable import Client

struct LiveScreenTests {
    private func script(columns: Int, rows: Int) throws -> LiveScript {
        var live = LiveScript(columns: columns, rows: rows)
        live.type("고양이")
        try live.hits("하나", "둘", "셋")
        let saved = #""a.b:둘""#
        try live.answer(.search, LiveScript.end("하나", "둘", "셋", next: "more", saved: saved))
        return live
    }

    @Test func `on a usual terminal there is all of it`() throws {
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
                " 1 of 3 loaded · 800 by scrolling · 1,234 in all       / search  ? help  q quit",
            ]
        )
    }

    @Test func `on the smallest one the hits stay`() throws {
        let live = try script(columns: 20, rows: 5)
        #expect(live.lines == ["› 고양이", "▌ 제목 하나", " ★제목 둘", "  제목 셋", "1 of 3 loaded · 80…"])
    }

    @Test func `on a wide one the details stand beside`() throws {
        var live = try script(columns: 120, rows: 12)
        live.press(.down)
        live.type("d")
        #expect(live.lines[2].hasPrefix("▌  제목 하나"))
        #expect(live.lines[2].contains("│제목 하나"))
        #expect(live.lines[4].hasPrefix(" ★ 제목 둘"))
    }

    @Test func `no line of the details is wider than they are`() throws {
        var live = LiveScript(columns: 100, rows: 24)
        live.type("고양이")
        let address = "https://a.example/" + String(repeating: "가나", count: 40) + "?end"
        try live.hits([#"{"id":"a.b:1","source":"a.b","kind":"web","title":"제목","url":"\#(address)"}"#])
        live.press(.down)
        live.type("d")
        let area = try #require(live.model.layout.details)
        let lines = live.model.details.item?.lines(columns: area.columns, zone: .fixed(hours: 9)) ?? []
        #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= area.columns })
        #expect(lines.joined().contains("?end"))
    }

    @Test func `text of the web drives nothing`() throws {
        var live = LiveScript()
        live.type("x")
        let hit =
            #"{"id":"a:1","source":"a","title":"a\u001b[2J\u202eb\nc","snippet":"\u009b31m","url":"https://e/\u0007"}"#
        try live.notify(
            "search/hits",
            #"{"request":\#(live.sent.last { $0.method == .search }?.id ?? 0),"hits":[\#(hit)]}"#
        )
        #expect(live.lines[2].contains(#"a\u{1b}[2J\u{202e}b\u{a}c"#))
        var painter = Painter(Capabilities(hasColours: true))
        let bytes = painter.bytes(for: live.screen)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{202E}"))
        #expect(live.lines.allSatisfy { $0.unicodeScalars.allSatisfy { VisibleText.isSafe($0) } })
    }

    @Test func `sources in trouble stand first in the strip, then who is waited for`() throws {
        var live = LiveScript(columns: 100)
        live.type("x")
        let id = live.sent.last { $0.method == .search }?.id ?? 0
        try live.notify("search/source", #"{"request":\#(id),"source":"a.b","status":"ok","cache":"hit","age":130}"#)
        try live.notify(
            "search/source",
            #"{"request":\#(id),"source":"c.d","status":"queued","reason":"rateLimit","wait":800}"#
        )
        let error = #"{"code":-32005,"message":"HTTP 503","data":{"kind":"unavailable"}}"#
        try live.notify("search/source", #"{"request":\#(id),"source":"e.f","status":"failed","error":\#(error)}"#)
        try live.notify("search/progress", #"{"request":\#(id),"answered":2,"asked":3}"#)
        #expect(
            live.lines[22]
                == " ✗ e.f: HTTP 503  … c.d: rate limit, waiting 800 ms  … 1 of 3 sources out  ✓ cached 2 min ago: a.b"
        )
    }

    @Test func `the help has every key that does something, and none means two things`() {
        for table in [LiveKeys.list, LiveKeys.field] {
            let events = (table + LiveKeys.always).flatMap(\.events)
            #expect(events.indices.filter { events[..<$0].contains(events[$0]) }.map { events[$0] } == [])
        }
        let bound = Set((LiveKeys.list + LiveKeys.field + LiveKeys.always).map(\.action))
        #expect(LiveAction.allCases.filter { !bound.contains($0) } == [])
        for columns in [20, 80, 120, 400] {
            let text = LiveHelp.lines(columns: columns).joined(separator: "\n")
            #expect(LiveKeys.list.allSatisfy { text.contains($0.label) })
        }
    }

    @Test func `kinds and sources are chosen from what there is`() throws {
        var live = try script(columns: 80, rows: 24)
        live.press(.down)
        live.type("K")
        try live.answer(.sourceList, Documents.list(Documents.source("a.b"), Documents.source("c.d")))
        #expect(live.lines[2] == "▌   web  2 sources")
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
