import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import Terminal
import TestSupport
import Testing

@testable import Client

/// With the real program, which scripts/install-packages installs.
struct PictureDrawerTests {
    /// 16 · 16 dots of many colours.
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

    /// A program in place of the one that draws.
    private func script(_ name: String, _ line: String) -> String {
        directory.write("#!/bin/sh\n\(line)\n", to: name, mode: 0o755)
    }

    private func drawn(_ drawer: inout PictureDrawer) -> [(key: PictureKey, picture: Picture?)] {
        while true {
            let ended = drawer.move(at: .now)
            if !ended.isEmpty { return ended }
            var polled = drawer.polled
            // The kernel fills the array, whose length is given, during the call.
            _ = unsafe poll(&polled, nfds_t(polled.count), drawer.dueAt?.pollTimeout(from: .now) ?? -1)
        }
    }

    private func draw(_ bytes: [UInt8], _ style: PictureStyle) -> Picture? {
        var drawer = PictureDrawer(style)
        drawer.add(key(), bytes)
        return drawn(&drawer).first?.picture
    }

    @Test(arguments: [GraphicsKind.symbols, .sixel, .kitty, .iTerm])
    func `a picture is drawn for every kind of terminal, within its room`(kind: GraphicsKind) throws {
        let bytes = try #require(Base64.bytes(of: Self.png))
        let picture = try #require(draw(bytes, style(kind)))
        #expect(1...4 ~= picture.columns && 1...2 ~= picture.rows)
    }

    @Test func `what is no picture is none`() throws {
        let style = try style(.symbols)
        #expect(draw(Array("\u{89}PNG\r\n".utf8), style) == nil)
        #expect(draw([], style) == nil)
        let bytes = try #require(Base64.bytes(of: Self.png))
        #expect(draw(Array(bytes.prefix(60)), style) == nil)
    }

    @Test func `a picture that would take all memory is refused its memory`() throws {
        // 65,535 · 65,535 dots, of which none is there.
        let head = Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 2, 0x44, 0x01, 0, 0x3B]
        #expect(draw(head + image, try style(.symbols)) == nil)
    }

    @Test func `a program that hangs is ended, and others have their turn`() throws {
        let hanging = try style(.symbols, program: script("hang", "exec sleep 1000"))
        var drawer = PictureDrawer(hanging)
        for number in 0..<3 { drawer.add(key(number), [1, 2, 3]) }
        let start = Instant.now
        #expect(drawer.move(at: start).isEmpty)
        #expect(drawer.dueAt == start.advanced(by: PictureDrawing.patience))
        let ended = drawer.move(at: start.advanced(by: PictureDrawing.patience))
        #expect(ended.map(\.key) == [key(0), key(1)])
        #expect(ended.allSatisfy { $0.picture == nil })
        #expect(drawer.dueAt == start.advanced(by: PictureDrawing.patience * 2))
    }

    @Test func `no more run at a time than may`() throws {
        var drawer = PictureDrawer(try style(.symbols, program: script("wait", "exec sleep 1000")))
        // More than a pipe takes: both ends are waited for.
        for number in 0..<4 { drawer.add(key(number), [UInt8](repeating: 0, count: 1 << 20)) }
        #expect(drawer.move(at: .now).isEmpty)
        #expect(drawer.polled.count == 2 * PictureDrawer.runningMax)
    }

    @Test func `a program that writes without end is ended`() throws {
        #expect(draw([], try style(.symbols, program: script("pour", "exec cat /dev/zero"))) == nil)
    }

    @Test func `a program that is not there draws nothing`() throws {
        #expect(draw([], try style(.symbols, program: directory.file("none"))) == nil)
    }

    @Test func `it has nothing of ours but the picture`() throws {
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
        guard case .style(let style)? = terminal?.received(answer, at: start) else { return nil }
        return style.kind
    }

    @Test func `without the program there are none, and nothing is asked`() {
        #expect(PictureTerminal(Environment(["PATH": "/none"]), Capabilities(hasColours: true), cell: nil) == nil)
    }

    @Test func `the answer decides, and characters do where cells have no size`() {
        #expect(kind(terminal(), .attributes([4])) == .sixel)
        #expect(kind(terminal(), .graphics(isKnown: true), .attributes([])) == .kitty)
        #expect(kind(terminal(), .attributes([])) == .symbols)
        #expect(kind(terminal(cell: nil), .attributes([4])) == .symbols)
    }

    @Test func `without colours or UTF-8 there are graphics, or none`() {
        for capabilities in [Capabilities(hasColours: false), Capabilities(hasColours: true, isUTF8: false)] {
            #expect(kind(terminal([:], capabilities), .attributes([])) == nil)
            #expect(kind(terminal([:], capabilities), .attributes([4])) == .sixel)
        }
    }

    @Test func `a slow terminal shows none, however often it is asked`() throws {
        var terminal = try #require(self.terminal())
        var now = Instant.now
        _ = terminal.ask(at: now)
        for _ in 0..<2 {
            let due = now.advanced(by: GraphicsQuestion.patience)
            #expect(terminal.dueAt == due)
            terminal.expire(at: due)
            #expect(terminal.dueAt == nil)
            guard case .again(GraphicsQuestion.lastPart) = terminal.received([.attributes([4])], at: due) else {
                Issue.record("it is not asked again")
                return
            }
            now = due
        }
        let due = now.advanced(by: GraphicsQuestion.patience)
        guard case .nothing = terminal.received([.attributes([4])], at: due) else {
            Issue.record("it is asked without end")
            return
        }
    }

    @Test func `one that was only starting is asked again, and keeps what it has said`() throws {
        var terminal = try #require(self.terminal())
        let late = Instant.now.advanced(by: GraphicsQuestion.patience * 2)
        _ = terminal.ask(at: .now)
        guard case .again = terminal.received([.graphics(isKnown: true), .attributes([62])], at: late),
            case .style(let style) = terminal.received([.attributes([62])], at: late)
        else {
            Issue.record("it is given up")
            return
        }
        #expect(style.kind == .kitty)
    }

    @Test func `one that can't be asked shows characters`() throws {
        var terminal = try #require(self.terminal(["TERM": "linux"]))
        #expect(terminal.ask(at: .now) == [])
        #expect(terminal.styleUnasked?.kind == .symbols)
    }
}
