import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import Terminal
import TestSupport
import Testing

@testable import Client
@testable import FullScreen

struct LivePicturesTests {
    private static let data = #"{"type":"image/png","data":"YWJj","bytes":3,"cache":"miss"}"#

    private func searched(_ kind: String, _ count: Int, columns: Int = 80, rows: Int = 24) throws -> LiveScript {
        var live = LiveScript(columns: columns, rows: rows)
        live.receive(.picturesShown)
        live.type("고양이")
        try live.hits((0..<count).map { LiveScript.pictured(String($0), kind: kind) })
        #expect(live.effects == [.wake])
        live.receive(.rested)
        return live
    }

    private func picture(_ box: PictureBox) throws -> Picture {
        let row = String(repeating: "█", count: box.columns) + "\n"
        let text = String(repeating: row, count: box.rows)
        return try #require(PictureReader(.symbols, box, .usual, number: 1).picture(Array(text.utf8)))
    }

    private func draw(_ live: inout LiveScript, number: Int) throws {
        try live.answer(.image, number: number, Self.data)
        guard case .draw(let key, let bytes)? = live.effects.first else {
            Issue.record("no picture is drawn")
            return
        }
        #expect(bytes == Array("abc".utf8))
        live.receive(.drawn(key, try picture(key.box)))
    }

    @Test func `a list of books has pictures on the right`() throws {
        var live = try searched("book", 3)
        #expect(live.params(of: .image).first == #"{"url":"https://pictures.example/0.jpg"}"#)
        try draw(&live, number: 1)
        #expect(live.lines[2].hasPrefix("▌  그림 0") && !live.lines[2].contains("█"))
        #expect(live.lines[4].hasPrefix("   그림 1") && live.lines[4].hasSuffix("█████"))
        #expect(live.lines[5].hasSuffix("█████"))
        #expect(live.screen.columns == 80)
    }

    @Test func `no picture is requested for a blog hit, or if the terminal cannot show pictures`() throws {
        let live = try LiveScript.withPictures(of: "blog")
        #expect(live.params(of: .image).isEmpty)
        var off = LiveScript()
        off.type("고양이")
        try off.hits([LiveScript.pictured("1")])
        #expect(off.effects == [])
        off.receive(.rested)
        #expect(off.params(of: .image).isEmpty)
        #expect(off.lines[2].hasPrefix("▌  그림 1"))
    }

    @Test func `images are shown as tiles, which arrow keys and clicks select`() throws {
        var live = try searched("image", 30)
        #expect(live.model.layout.grid.perRow == 4)
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

    @Test func `the details have a picture above the text`() throws {
        var live = try LiveScript.withPictures(of: "blog", columns: 120)
        live.press(.down)
        live.type("d")
        live.receive(.rested)
        #expect(live.params(of: .image).count == 1)
        try draw(&live, number: 0)
        let room = try #require(live.model.layout.detailsPicture)
        #expect(live.lines[room.row].contains(String(repeating: "█", count: room.columns)))
        #expect(live.lines[room.row + room.rows + 1].contains("│그림 1"))
    }

    @Test func `pictures are hidden while the help is shown`() throws {
        var live = try searched("image", 8)
        for number in 0..<4 { try draw(&live, number: number) }
        #expect(live.lines.contains { $0.contains("█") })
        live.press(.down)
        live.type("?")
        #expect(!live.lines.contains { $0.contains("█") })
    }

    @Test func `only a few pictures are requested at a time, in the order of the list`() throws {
        var live = try searched("book", 9)
        #expect(live.params(of: .image).count == PictureStore.pendingMax)
        try live.answer(.image, number: 0, Self.data)
        #expect(live.params(of: .image).count == PictureStore.pendingMax)
        guard case .draw(let key, _)? = live.effects.first else { return }
        live.receive(.drawn(key, nil))
        #expect(live.params(of: .image).count == PictureStore.pendingMax + 1)
        try live.answer(.image, number: 1, #"{"data":"?"}"#)
        #expect(live.params(of: .image).last?.contains("/5.jpg") == true)
    }

    @Test func `requests for pictures out of view are cancelled`() throws {
        var live = try searched("book", 30)
        live.press(.down, .end)
        #expect(live.effects.count { if case .cancel = $0 { true } else { false } } == PictureStore.pendingMax)
        #expect(live.effects.last == .wake)
        live.receive(.rested)
        #expect(live.params(of: .image).suffix(4).allSatisfy { $0.contains("/2") })
    }

    @Test func `after a daemon restart, missing pictures are requested again`() throws {
        var live = try searched("book", 2)
        try live.answer(.search, LiveScript.end("0", "1"))
        try draw(&live, number: 0)
        live.receive(.disconnected)
        live.receive(.connected(isAgain: true))
        live.receive(.rested)
        #expect(live.params(of: .image).count == 3)
        #expect(live.params(of: .image).last?.contains("/1.jpg") == true)
    }
}

extension LiveScript {
    static func withPictures(of kind: String, columns: Int = 80) throws -> LiveScript {
        var live = LiveScript(columns: columns)
        live.receive(.picturesShown)
        live.type("고양이")
        try live.hits([pictured("1", kind: kind)])
        live.receive(.rested)
        return live
    }
}

struct PictureStoreTests {
    private func key(_ number: Int, columns: Int = 1) -> PictureKey {
        PictureKey(address: ExactText("https://p.example/\(number)"), box: PictureBox(columns: columns, rows: 1))
    }

    private func picture(columns: Int) throws -> Picture {
        let text = Array((String(repeating: "█", count: columns) + "\n").utf8)
        let box = PictureBox(columns: columns, rows: 1)
        return try #require(PictureReader(.symbols, box, .usual, number: 1).picture(text))
    }

    @Test(arguments: [1, 400]) func `above the limit, only the visible and the latest pictures are kept`(columns: Int)
        throws
    {
        let picture = try picture(columns: columns)
        let count = min(PictureStore.countMax, PictureStore.bytesMax / picture.byteCount)
        let keys = (0...count).map { key($0, columns: columns) }
        var store = PictureStore()
        _ = store.want([keys[0]])
        for key in keys.dropLast() { store.add(picture, for: key) }
        #expect(keys.dropLast().allSatisfy { store[$0] != nil })
        store.add(picture, for: keys[count])
        #expect(keys.filter { store[$0] != nil } == [keys[0], keys[count]])
    }

    @Test func `an invalid picture is not requested again`() {
        var store = PictureStore()
        #expect(store.want([key(1)]) == [])
        #expect(store.takeRequests() == [key(1)])
        store.add(nil, for: key(1))
        #expect(store.missing == [])
        #expect(store.takeRequests() == [])
    }
}

/// Needs chafa, which scripts/install-packages installs.
struct PictureDrawerTests {
    static let png =
        "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAABlklEQVR42g3LQQEAIQgAQQMYgAAGMAABCEAAAxjA5z4IYAADEICA"
        + "d/Of1hq9IY3RmA1tWMMbq7EbpxGN23iNbFSjtU7vSGd0Zkc71vHO6uzO6UTndl4nO9X/IHRBhCFMQQUTXFjCFo4QwhWekELJHwZ9"
        + "IIMxmAMd2MAHa7AHZxCDO3iDHNT4w6RPZDImc6ITm/hkTfbkTGJyJ2+Sk5p/ULoiylCmoooprixlK0cJ5SpPSaX0D0Y3xBjGNNQw"
        + "w41lbOMYYVzjGWmU/cHpjjjDmY465riznO0cJ5zrPCed8j8s+kIWYzEXurCFL9ZiL84iFnfxFrmo9YdN38hmbOZGN7bxzdrszdnE"
        + "5m7eJje1/3DoBzmMwzzowQ5+WId9OIc43MM75KHOH4IeSDCCGWhggQcr2MEJIrjBCzKo+MOlX+QyLvOiF7v4ZV325Vzici/vkpe6"
        + "f3j0hzzGYz70YQ9/rMd+nEc87uM98lHvD0lPJBnJTDSxxJOV7OQkkdzkJZlU/qHohRSjmIUWVnixil2cIopbvCKLKj7JnTQQO8QG"
        + "QgAAAABJRU5ErkJggg=="
    private static let box = PictureBox(columns: 4, rows: 2)
    private let directory = TemporaryDirectory()

    private func style(_ kind: GraphicsKind, program: String? = nil) throws -> PictureStyle {
        let found = ProgramSearch.path(of: PictureTerminal.program, Environment(["PATH": "/usr/bin:/usr/local/bin"]))
        return PictureStyle(
            program: try program ?? #require(found),
            kind: kind,
            colours: .exact,
            cell: CellSize(width: 8, height: 16)
        )
    }

    private func key(_ number: Int = 0) -> PictureKey {
        PictureKey(address: ExactText(String(number)), box: Self.box)
    }

    private func script(_ name: String, _ line: String) -> String {
        directory.write("#!/bin/sh\n\(line)\n", to: name, mode: 0o755)
    }

    private func drawn(_ drawer: inout PictureDrawer) -> [(key: PictureKey, picture: Picture?)] {
        while true {
            let ended = drawer.move(at: .now)
            if !ended.isEmpty { return ended }
            var polled = drawer.polled
            // The array is valid during the call. The kernel gets the length of the array.
            _ = unsafe poll(&polled, nfds_t(polled.count), drawer.dueAt?.pollTimeout(from: .now) ?? -1)
        }
    }

    private func draw(_ bytes: [UInt8], _ style: PictureStyle) -> Picture? {
        var drawer = PictureDrawer(style)
        drawer.add(key(), bytes)
        return drawn(&drawer).first?.picture
    }

    @Test(arguments: [GraphicsKind.symbols, .kitty])
    func `a picture fits its space on each kind of terminal`(kind: GraphicsKind) throws {
        let bytes = try #require(Base64.bytes(of: Self.png))
        let picture = try #require(draw(bytes, style(kind)))
        #expect(1...4 ~= picture.columns && 1...2 ~= picture.rows)
    }

    @Test func `invalid pictures are refused`() throws {
        let style = try style(.symbols)
        #expect(draw(Array("\u{89}PNG\r\n".utf8), style) == nil)
        #expect(draw([], style) == nil)
        let bytes = try #require(Base64.bytes(of: Self.png))
        #expect(draw(Array(bytes.prefix(60)), style) == nil)
    }

    @Test func `the memory of the drawing program is limited`() throws {
        // The file claims to have 65,535 × 65,535 pixels, but has no data.
        let head = Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 2, 0x44, 0x01, 0, 0x3B]
        #expect(draw(head + image, try style(.symbols)) == nil)
    }

    @Test func `a hanging drawing program is killed, and the next drawings start`() throws {
        let hanging = try style(.symbols, program: script("hang", "exec sleep 1000"))
        var drawer = PictureDrawer(hanging)
        for number in 0..<3 { drawer.add(key(number), [1, 2, 3]) }
        let start = Instant.now
        #expect(drawer.move(at: start).isEmpty)
        #expect(drawer.dueAt == start.advanced(by: PictureDrawing.timeout))
        let ended = drawer.move(at: start.advanced(by: PictureDrawing.timeout))
        #expect(ended.map(\.key) == [key(0), key(1)])
        #expect(ended.allSatisfy { $0.picture == nil })
        #expect(drawer.dueAt == start.advanced(by: PictureDrawing.timeout * 2))
    }

    @Test func `the number of drawing programs at a time is limited`() throws {
        var drawer = PictureDrawer(try style(.symbols, program: script("wait", "exec sleep 1000")))
        // The input does not fit into a pipe, so the drawer polls the input and the output of each program.
        for number in 0..<4 { drawer.add(key(number), [UInt8](repeating: 0, count: 1 << 20)) }
        #expect(drawer.move(at: .now).isEmpty)
        #expect(drawer.polled.count == 2 * PictureDrawer.runningMax)
    }

    @Test func `the output of the drawing program is limited`() throws {
        #expect(draw([], try style(.symbols, program: script("pour", "exec cat /dev/zero"))) == nil)
    }

    @Test func `the drawing program has neither the user's environment nor the terminal`() throws {
        let line = "[ -z \"$HOME\" ] && [ ! -t 0 ] && ! (: </dev/tty) 2>/dev/null && printf '█'"
        #expect(draw([], try style(.symbols, program: script("look", line)))?.columns == 1)
    }
}

struct PictureTerminalTests {
    private let directory = TemporaryDirectory()

    private func terminal(
        _ variables: [String: String] = [:],
        _ capabilities: Capabilities = Capabilities(hasColours: true),
        cell: CellSize? = .usual
    ) -> PictureTerminal? {
        directory.write("#!/bin/sh\n", to: PictureTerminal.program, mode: 0o755)
        let environment = Environment(["PATH": directory.path, "TERM": "xterm"].merging(variables) { $1 })
        return PictureTerminal(environment, capabilities, cell: cell)
    }

    private func kind(_ terminal: PictureTerminal?, _ answer: TerminalAnswer...) -> GraphicsKind? {
        var terminal = terminal
        let start = Instant.now
        #expect(terminal?.ask(at: start).isEmpty == false)
        return terminal?.receive(answer, at: start)?.kind
    }

    @Test func `if chafa is not installed, the terminal is not queried`() {
        #expect(PictureTerminal(Environment(["PATH": "/none"]), Capabilities(hasColours: true), cell: nil) == nil)
    }

    @Test func `kitty's protocol is used only if the terminal supports it and the cell size is known`() {
        #expect(kind(terminal(), .graphics(isKnown: true), .attributes) == .kitty)
        #expect(kind(terminal(), .attributes) == .symbols)
        #expect(kind(terminal(cell: nil), .graphics(isKnown: true), .attributes) == .symbols)
    }

    @Test func `symbols are used only if the terminal has colours and UTF-8`() {
        for capabilities in [Capabilities(hasColours: false), Capabilities(hasColours: true, isUTF8: false)] {
            #expect(kind(terminal([:], capabilities), .attributes) == nil)
            #expect(kind(terminal([:], capabilities), .graphics(isKnown: true), .attributes) == .kitty)
        }
    }

    @Test func `a slow terminal shows no pictures`() throws {
        var terminal = try #require(self.terminal())
        let start = Instant.now
        _ = terminal.ask(at: start)
        #expect(terminal.receive([.attributes], at: start.advanced(by: GraphicsQuery.timeout))?.kind == nil)
    }
}
