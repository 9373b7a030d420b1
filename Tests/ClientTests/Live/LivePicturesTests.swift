import JSON
import RPC
import SearchModel
import Terminal
import Testing

@testable import Client

struct LivePicturesTests {
    private static let data = #"{"type":"image/png","data":"YWJj","bytes":3,"cache":"miss"}"#

    /// A list of hits with pictures, once it has rested.
    private func searched(_ kind: String, _ count: Int, columns: Int = 80, rows: Int = 24) throws -> LiveScript {
        var live = LiveScript(columns: columns, rows: rows)
        live.receive(.picturesShown)
        live.type("고양이")
        try live.hits((0..<count).map { LiveScript.pictured(String($0), kind: kind) })
        #expect(live.effects == [.wakePictures(milliseconds: PictureStore.restMilliseconds)])
        live.receive(.picturesWoken)
        return live
    }

    private func picture(_ box: PictureBox) throws -> Picture {
        let row = String(repeating: "█", count: box.columns) + "\n"
        let text = String(repeating: row, count: box.rows)
        return try #require(PictureReader(.symbols, box, .usual, number: 1).picture(Array(text.utf8)))
    }

    /// Answers the picture of a number among those asked for, and draws it.
    private func draw(_ live: inout LiveScript, number: Int) throws {
        try live.answer(.image, number: number, Self.data)
        guard case .draw(let key, let bytes)? = live.effects.first else {
            Issue.record("nothing is drawn")
            return
        }
        #expect(bytes == Array("abc".utf8))
        live.receive(.drawn(key, try picture(key.box)))
    }

    @Test func `a list of books has their pictures at its right`() throws {
        var live = try searched("book", 3)
        #expect(live.params(of: .image).first == #"{"url":"https://pictures.example/0.jpg"}"#)
        try draw(&live, number: 1)
        #expect(live.lines[2].hasPrefix("▌  그림 0") && !live.lines[2].contains("█"))
        #expect(live.lines[4].hasPrefix("   그림 1") && live.lines[4].hasSuffix("█████"))
        #expect(live.lines[5].hasSuffix("█████"))
        #expect(live.screen.columns == 80)
    }

    @Test func `a text has none, and no picture is asked for while none is shown`() throws {
        let live = try LiveScript.withPictures(of: "blog")
        #expect(live.params(of: .image).isEmpty)
        var off = LiveScript()
        off.type("고양이")
        try off.hits([LiveScript.pictured("1")])
        #expect(off.effects == [])
        off.receive(.picturesWoken)
        #expect(off.params(of: .image).isEmpty)
        #expect(off.lines[2].hasPrefix("▌  그림 1"))
    }

    @Test func `images are tiles, through which all arrow keys and clicks go`() throws {
        var live = try searched("image", 30)
        #expect(live.model.layout.grid?.perRow == 4)
        try draw(&live, number: 1)
        #expect(live.lines[2].prefix(20).allSatisfy { $0 == "▌" || $0 == " " })
        #expect(live.lines[2].hasSuffix(String(repeating: "█", count: 18)))
        live.press(.down, .right)
        #expect(live.model.web.list.selected == 1)
        live.press(.down)
        #expect(live.model.web.list.selected == 5)
        live.press(.down)
        #expect(live.model.web.list.top == 4)
        live.receive(.input(.mouse(Mouse(.wheelDown, row: 3, column: 3))))
        #expect(live.model.web.list.selected == 13)
        live.receive(.input(.mouse(Mouse(.wheelUp, row: 3, column: 3))))
        live.press(.left, .up)
        #expect(live.model.web.list.selected == 4)
        live.receive(.input(.mouse(Mouse(.click, row: 3, column: 70))))
        #expect(live.model.web.list.selected == 7)
    }

    @Test func `details have the picture above them`() throws {
        var live = try LiveScript.withPictures(of: "blog", columns: 120)
        live.press(.down)
        live.type("d")
        live.receive(.picturesWoken)
        #expect(live.params(of: .image).count == 1)
        try draw(&live, number: 0)
        let room = try #require(live.model.layout.detailsPicture)
        #expect(live.lines[room.row].contains(String(repeating: "█", count: room.columns)))
        #expect(live.lines[room.row + room.rows + 1].contains("│그림 1"))
    }

    @Test func `what stands above the list has no picture through it`() throws {
        var live = try searched("image", 8)
        for number in 0..<4 { try draw(&live, number: number) }
        #expect(live.lines.contains { $0.contains("█") })
        live.press(.down)
        live.type("?")
        #expect(!live.lines.contains { $0.contains("█") })
    }

    @Test func `few are under way at a time, in the order of the list`() throws {
        var live = try searched("book", 9)
        #expect(live.params(of: .image).count == PictureStore.underWayMax)
        try live.answer(.image, number: 0, Self.data)
        #expect(live.params(of: .image).count == PictureStore.underWayMax)
        guard case .draw(let key, _)? = live.effects.first else { return }
        live.receive(.drawn(key, nil))
        #expect(live.params(of: .image).count == PictureStore.underWayMax + 1)
        try live.answer(.image, number: 1, #"{"data":"?"}"#)
        #expect(live.params(of: .image).last?.contains("/5.jpg") == true)
    }

    @Test func `what is not in view any more is not waited for`() throws {
        var live = try searched("book", 30)
        live.press(.down, .end)
        #expect(live.effects.count { if case .cancel = $0 { true } else { false } } == PictureStore.underWayMax)
        #expect(live.effects.last == .wakePictures(milliseconds: PictureStore.restMilliseconds))
        live.receive(.picturesWoken)
        #expect(live.params(of: .image).suffix(4).allSatisfy { $0.contains("/2") })
    }

    @Test func `after a daemon has gone, the missing ones are asked for again`() throws {
        var live = try searched("book", 2)
        try live.answer(.search, LiveScript.end("0", "1"))
        try draw(&live, number: 0)
        live.receive(.disconnected(Connector.lost))
        live.receive(.connected)
        live.receive(.picturesWoken)
        #expect(live.params(of: .image).count == 3)
        #expect(live.params(of: .image).last?.contains("/1.jpg") == true)
    }
}

extension LiveScript {
    /// After a search whose one hit has a picture.
    static func withPictures(of kind: String, columns: Int = 80) throws -> LiveScript {
        var live = LiveScript(columns: columns)
        live.receive(.picturesShown)
        live.type("고양이")
        try live.hits([pictured("1", kind: kind)])
        live.receive(.picturesWoken)
        return live
    }
}

struct PictureStoreTests {
    private func key(_ number: Int) -> PictureKey {
        PictureKey(address: ExactText("https://p.example/\(number)"), box: PictureBox(columns: 100, rows: 100))
    }

    private func store(_ keys: [PictureKey], _ picture: Picture?) -> PictureStore {
        var store = PictureStore()
        var outbox = LiveOutbox()
        outbox.connected()
        store.turn(on: true)
        for key in keys {
            store.want([key], &outbox)
            store.drawn(key, picture, &outbox)
        }
        return store
    }

    @Test func `it keeps as many as it may, and forgets what was seen the longest time ago`() throws {
        let box = PictureBox(columns: 1, rows: 1)
        let small = try #require(PictureReader(.symbols, box, .usual, number: 1).picture(Array("█\n".utf8)))
        let keys = (0...PictureStore.countMax).map(key)
        let full = store(keys.dropLast(), small)
        #expect(full[keys[0]] != nil)
        let beyond = store(keys, small)
        #expect(beyond[keys[0]] == nil)
        #expect(beyond[keys[1]] != nil && beyond[keys[PictureStore.countMax]] != nil)
    }

    @Test func `it keeps as many bytes as it may`() throws {
        let row = String(repeating: "█", count: 100) + "\n"
        let text = Array(String(repeating: row, count: 100).utf8)
        let large = try #require(PictureReader(.symbols, key(0).box, .usual, number: 1).picture(text))
        let count = PictureStore.bytesMax / large.byteCount
        let keys = (0...count).map(key)
        #expect(store(keys.dropLast(), large)[keys[0]] != nil)
        let beyond = store(keys, large)
        #expect(beyond[keys[0]] == nil && beyond[keys[1]] != nil)
    }

    @Test func `what can't be drawn is not asked for again`() {
        var outbox = LiveOutbox()
        outbox.connected()
        var store = store([key(1)], nil)
        store.ask(&outbox)
        #expect(outbox.takeEffects().isEmpty)
    }
}
