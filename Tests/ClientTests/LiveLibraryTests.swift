import JSON
import RPC
import Terminal
import Testing

@testable import Client
@testable import FullScreen

struct LiveLibraryTests {
    private static func item(_ key: String, more: String = "") -> String {
        LiveScript.hit(key).dropLast()
            + #","savedAt":"2024-01-01T00:00:00Z","updatedAt":"2024-01-01T00:00:00Z"\#(more)}"#
    }

    private func library(_ keys: String..., next: String? = nil) throws -> LiveScript {
        var live = LiveScript()
        live.press(.down)
        live.type("L")
        try live.answer(.libraryList, Self.list(keys, next: next))
        return live
    }

    private static func list(_ keys: [String], next: String? = nil) -> String {
        let items = keys.map { item($0) }.joined(separator: ",")
        let next = next.map { #""\#($0)""# } ?? "null"
        return #"{"items":[\#(items)],"total":\#(keys.count),"revision":4,"next":\#(next)}"#
    }

    @Test func `the library has its own list and its own query field`() throws {
        var live = try library("1", "2")
        #expect(live.lines[0].hasPrefix("library›"))
        #expect(live.lines[1] == " newest saved items first")
        #expect(live.lines[2].hasPrefix("▌  제목 1"))
        live.type("/ㄱㅇㅇ")
        #expect(live.params(of: .libraryList).last?.hasPrefix(#"{"query":"ㄱㅇㅇ","#) == true)
        #expect(live.lines[1] == " best match first")
        #expect(live.model.web.field.text == "")
        live.press(.enter)
        live.type("L")
        #expect(live.lines[0].hasPrefix("search›"))
    }

    @Test func `q returns to the search, and a second q quits`() throws {
        var live = try library("1")
        #expect(live.lines[23].hasSuffix("q back"))
        live.type("q")
        #expect(live.effects == [])
        #expect(live.lines[0].hasPrefix("search›"))
        live.type("q")
        #expect(live.effects == [.quit(.found)])
    }

    @Test func `changes by another program are shown, and the selected item stays selected`() throws {
        var live = try library("1", "2", "3")
        live.press(.down)
        let change = #"{"subscription":1,"revision":5,"inserted":[\#(Self.item("0"))],"updated":[],"deleted":[]}"#
        try live.notify("library/changed", change)
        let count = live.params(of: .libraryList).count
        try live.notify("library/changed", change)
        #expect(live.params(of: .libraryList).count == count)
        try live.answer(.libraryList, Self.list(["0", "1", "2", "3"]))
        #expect(live.params(of: .libraryList).count == count + 1)
        #expect(live.model.library.list.current?.id == "a.b:2")
        try live.answer(.libraryList, Self.list(["0", "1", "2", "3"]))
        #expect(live.params(of: .libraryList).count == count + 1)
        #expect(live.lines[4].hasPrefix("▌  제목 2"))
    }

    @Test func `the next page is loaded by its cursor`() throws {
        var live = try library("1", "2", next: "CURSOR")
        #expect(live.params(of: .libraryList).last?.contains(#""cursor":"CURSOR""#) == true)
        try live.answer(.libraryList, Self.list(["3"]))
        #expect(live.model.library.list.items.map(\.id) == ["a.b:1", "a.b:2", "a.b:3"])
    }

    @Test func `undo restores a removed item`() throws {
        var live = try library("1")
        live.type("s")
        #expect(live.params(of: .libraryRemove) == [#"{"ids":["a.b:1"]}"#])
        let note = #","notes":[{"id":"n1","text":"좋다","rating":4,"at":"2024-01-02T00:00:00Z"}]"#
        try live.answer(.libraryRemove, #"{"items":[\#(Self.item("1", more: note))],"removed":1,"revision":5}"#)
        live.type("u")
        #expect(live.params(of: .librarySave).last?.contains(#""text":"좋다""#) == true)
        #expect(live.params(of: .librarySave).last?.contains(#""savedAt":"2024-01-01T00:00:00Z""#) == true)
    }

    @Test func `undo restores replaced and removed notes`() throws {
        var live = try library("1")
        let notes = #","notes":[{"id":"n1","text":"좋다","rating":4,"at":"2024-01-02T00:00:00Z"}]"#
        live.type("n")
        try live.answer(.libraryGet, #"{"item":\#(Self.item("1", more: notes)),"revision":5}"#)
        #expect(live.lines[23] == "note ★★★★☆ 좋다")
        live.type("!")
        live.press(.enter)
        #expect(live.params(of: .libraryNote).last == #"{"id":"a.b:1","note":{"id":"n1","text":"좋다!","rating":4}}"#)
        try live.answer(.libraryNote, #"{"items":[\#(Self.item("1"))],"revision":6}"#)
        live.type("u")
        #expect(live.params(of: .libraryNote).last == #"{"id":"a.b:1","note":{"id":"n1","text":"좋다","rating":4}}"#)
        live.type("n")
        try live.answer(.libraryGet, #"{"item":\#(Self.item("1", more: notes)),"revision":7}"#)
        live.receive(.input(.key(.control("u"))))
        live.press(.down, .down, .down, .down, .enter)
        #expect(live.params(of: .libraryNote).last == #"{"id":"a.b:1","remove":"n1"}"#)
        try live.answer(.libraryNote, #"{"items":[\#(Self.item("1"))],"revision":8}"#)
        live.type("u")
        #expect(live.params(of: .libraryNote).last == #"{"id":"a.b:1","note":{"text":"좋다","rating":4}}"#)
    }

    @Test func `a note with a title and several lines can be edited`() throws {
        var live = try library("1")
        let notes = #","notes":[{"id":"n1","title":"읽고","text":"하나\n둘","at":"2024-01-02T00:00:00Z"}]"#
        live.type("n")
        try live.answer(.libraryGet, #"{"item":\#(Self.item("1", more: notes)),"revision":5}"#)
        #expect(live.lines[23] == "note ☆☆☆☆☆ 하나↵둘")
        live.receive(.input(.key(Key(.enter, hasAlt: true))))
        live.type("셋")
        live.press(.up, .enter)
        #expect(
            live.params(of: .libraryNote).last
                == #"{"id":"a.b:1","note":{"id":"n1","title":"읽고","text":"하나\n둘\n셋","rating":1}}"#
        )
        try live.answer(.libraryNote, #"{"items":[\#(Self.item("1"))],"revision":6}"#)
        live.type("u")
        #expect(
            live.params(of: .libraryNote).last
                == #"{"id":"a.b:1","note":{"id":"n1","title":"읽고","text":"하나\n둘"}}"#
        )
    }

    @Test func `saving a note does not turn the character “↵” into a line end`() throws {
        var live = try library("1")
        let notes = #","notes":[{"id":"n1","text":"↵\n","at":"2024-01-02T00:00:00Z"}]"#
        live.type("n")
        try live.answer(.libraryGet, #"{"item":\#(Self.item("1", more: notes)),"revision":5}"#)
        live.press(.enter)
        #expect(live.params(of: .libraryNote).last == #"{"id":"a.b:1","note":{"id":"n1","text":"↵\n"}}"#)
    }

    @Test func `tags are added and removed, and restored by undo`() throws {
        var live = try library("1")
        live.type("t")
        try live.answer(.libraryGet, #"{"item":\#(Self.item("1", more: #","tags":["여름","바다"]"#)),"revision":5}"#)
        #expect(live.lines[23] == "tags: 여름, 바다,")
        live.receive(.input(.key(.control("u"))))
        live.type("바다, 산")
        live.press(.enter)
        #expect(live.params(of: .libraryTag).last == #"{"ids":["a.b:1"],"add":["산"],"remove":["여름"]}"#)
        try live.answer(.libraryTag, #"{"items":[\#(Self.item("1"))],"revision":6}"#)
        live.type("u")
        #expect(live.params(of: .libraryTag).last == #"{"ids":["a.b:1"],"add":["여름"],"remove":["산"]}"#)
    }
}
