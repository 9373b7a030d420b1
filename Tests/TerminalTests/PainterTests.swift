import TestSupport
import Testing

@testable import Terminal

struct PainterTests {
    private static let looks = [
        Look.plain, .bold, .dim, .accent, .bad, .reversed, Look(.green, isBold: true, isUnderlined: true),
    ]
    private static let texts = [
        "a", "고양이", "hit · 3", "★★☆", "  ", "漢字かな", "x y", "é", "👩‍👩‍👧", "🏴", "ﾊﾝｶｸ", "e\u{301}\u{302}",
    ]

    private func painted(_ screens: Screen..., capabilities: Capabilities = Capabilities(hasColours: true)) -> [String]
    {
        var painter = Painter(capabilities)
        return screens.map { String(decoding: painter.bytes(for: $0), as: UTF8.self) }
    }

    private func screen(_ lines: String..., columns: Int = 20) -> Screen {
        var screen = Screen(columns: columns, rows: lines.count)
        for (row, line) in lines.enumerated() { screen.write(line, row: row, column: 0) }
        return screen
    }

    @Test func `whatever screens follow each other, the terminal shows the last one`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<60 {
            let (columns, rows) = (Int.random(in: 1...30, using: &random), Int.random(in: 1...12, using: &random))
            var painter = Painter(Capabilities(hasColours: true))
            var terminal = ModelTerminal(columns: columns, rows: rows)
            terminal.spoil()
            var screen = Screen(columns: columns, rows: rows)
            for _ in 0..<20 {
                change(&screen, &random)
                terminal.show(painter.bytes(for: screen))
                #expect(terminal.screen.cells == screen.cells)
                #expect(terminal.isCursorShown == (screen.cursor != nil))
                if let cursor = screen.cursor {
                    #expect(Screen.Position(row: terminal.row, column: terminal.column) == cursor)
                }
            }
        }
    }

    private func change(_ screen: inout Screen, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: screen = Screen(columns: screen.columns, rows: screen.rows)
        case 1: screen.scroll(0..<screen.rows, by: Int.random(in: -3...3, using: &random))
        case 2: screen.cursor = nil
        default:
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                screen.write(
                    Self.texts.randomElement(using: &random) ?? "",
                    row: Int.random(in: 0..<screen.rows, using: &random),
                    column: Int.random(in: 0..<screen.columns, using: &random),
                    Self.looks.randomElement(using: &random) ?? .plain
                )
            }
            screen.cursor = Screen.Position(row: 0, column: Int.random(in: 0..<screen.columns, using: &random))
        }
    }

    @Test func `a screen that is shown already costs nothing`() {
        let screen = screen("고양이", "b")
        #expect(painted(screen, screen)[1] == "")
    }

    @Test func `one letter more costs one letter, and where the cursor stands`() {
        var (before, after) = (screen("search> 고양"), screen("search> 고양이"))
        before.cursor = Screen.Position(row: 0, column: 12)
        after.cursor = Screen.Position(row: 0, column: 14)
        #expect(painted(before, after)[1] == "\u{1B}[?25l이\u{1B}[?25h")
    }

    @Test func `what becomes blank is erased, not written`() {
        #expect(painted(screen("long line"), screen("long"))[1] == "\u{1B}[1;6H\u{1B}[K")
    }

    @Test func `a list that moves by a line is scrolled`() {
        let lines = (0..<9).map { "the hit number \($0)" }
        let before = screen(lines[0], lines[1], lines[2], lines[3], lines[4], lines[5], lines[6])
        let after = screen(lines[1], lines[2], lines[3], lines[4], lines[5], lines[6], lines[7])
        #expect(painted(before, after)[1] == "\u{1B}[1;7r\u{1B}[1S\u{1B}[r\u{1B}[7Hthe hit number 7")
    }

    @Test func `without colours there are none, and what is bold stays so`() {
        var screen = Screen(columns: 10, rows: 1)
        screen.write("a", row: 0, column: 0, Look(.red, isBold: true))
        let bytes = painted(screen, capabilities: Capabilities(hasColours: false))[0]
        #expect(bytes.contains("\u{1B}[0;1ma"))
        #expect(!bytes.contains("31"))
    }

    @Test func `where UTF-8 is not shown, all is ASCII and as wide as before`() {
        let bytes = painted(screen("고양 · é…"), capabilities: Capabilities(hasColours: true, isUTF8: false))[0]
        #expect(bytes.hasSuffix("???? - ?~"))
        #expect(bytes.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `after something else has written there, all of it is drawn`() {
        var painter = Painter(Capabilities(hasColours: true))
        let screen = screen("a")
        let first = painter.bytes(for: screen)
        painter.forget()
        #expect(painter.bytes(for: screen) == first)
    }
}
