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

    @Test func `after random screens, the terminal shows the last screen`() {
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

    private static func graphics(_ number: UInt32, _ columns: Int, _ rows: Int) -> Picture {
        let graphics = Graphics(number: number, width: 1, height: 1, parts: [Array("#\(number)AAAA".utf8)])
        return Picture(columns: columns, rows: rows, content: .graphics(graphics))
    }

    @Test func `pictures are shown where they are placed, and removed when they are overwritten`() {
        var random = SeededGenerator(seed: testSeed())
        var cell = Look.plain
        (cell.front, cell.back) = (.exact(red: 1, green: 2, blue: 3), .palette(200))
        let cells = Picture(
            columns: 3,
            rows: 2,
            content: .cells(Array(repeating: .init(text: "▄", look: cell), count: 6))
        )
        for _ in 0..<60 {
            let pictures = (1...4).map {
                Self.graphics(UInt32($0), Int.random(in: 1...6, using: &random), $0)
            }
            let (columns, rows) = (Int.random(in: 4...30, using: &random), Int.random(in: 2...12, using: &random))
            var painter = Painter(Capabilities(hasColours: true))
            var terminal = ModelTerminal(columns: columns, rows: rows)
            var screen = Screen(columns: columns, rows: rows)
            for _ in 0..<20 {
                change(&screen, &random)
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    screen.place(
                        ([cells] + pictures).randomElement(using: &random) ?? cells,
                        row: Int.random(in: 0..<rows, using: &random),
                        column: Int.random(in: 0..<columns, using: &random)
                    )
                }
                if Int.random(in: 0..<12, using: &random) == 0 { painter.forget() }
                terminal.show(painter.bytes(for: screen))
                let shown = screen.cells.map { cell -> Screen.Cell in
                    cell.look.cover == 0 ? cell : Screen.Cell(text: cell.text, look: .plain)
                }
                #expect(terminal.screen.cells == shown)
                let stamps = terminal.stamps.map { "\($0.name) \($0.row) \($0.column)" }
                #expect(
                    stamps.sorted()
                        == screen.stamps.map { "\($0.graphics.number) \($0.row) \($0.column)" }.sorted()
                )
            }
        }
    }

    @Test func `if a picture is unchanged, nothing is written; if it has moved, its data is not sent again`() {
        var (first, moved) = (screen("a", "", "", ""), screen("a", "", "", ""))
        let picture = Self.graphics(9, 2, 1)
        first.place(picture, row: 1, column: 0)
        moved.place(picture, row: 2, column: 0)
        let painted = painted(first, first, moved)
        #expect(painted[0].contains("a=t,i=9,f=32,s=1,v=1,q=2,m=0;#9AAAA"))
        #expect(painted[1] == "")
        var painter = Painter(Capabilities(hasColours: true))
        _ = painter.bytes(for: first)
        #expect(String(decoding: painter.release(), as: UTF8.self) == "\u{1B}_Ga=d,d=I,i=9,q=2\u{1B}\\")
        #expect(painter.release() == [])
        #expect(painted[2].contains("a=d,d=i,i=9") && painted[2].contains("a=p,i=9") && !painted[2].contains("a=t"))
    }

    @Test func `graphics that touch the last row or do not fit are omitted`() {
        var screen = screen("", "", "", columns: 4)
        screen.place(Self.graphics(1, 2, 1), row: 2, column: 0)
        screen.place(Self.graphics(2, 2, 1), row: 0, column: 3)
        screen.place(Self.graphics(3, 2, 1), row: -1, column: 0)
        #expect(screen.stamps.isEmpty)
        screen.place(Self.graphics(4, 4, 2), row: 0, column: 0)
        #expect(screen.stamps.count == 1)
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

    @Test func `if a screen is unchanged, no bytes are written`() {
        let screen = screen("고양이", "b")
        #expect(painted(screen, screen)[1] == "")
    }

    @Test func `if one letter is added at the cursor, only this letter is written`() {
        var (before, after) = (screen("search> 고양"), screen("search> 고양이"))
        before.cursor = Screen.Position(row: 0, column: 12)
        after.cursor = Screen.Position(row: 0, column: 14)
        #expect(painted(before, after)[1] == "\u{1B}[?25l이\u{1B}[?25h")
    }

    @Test func `blanks are erased, not written`() {
        #expect(painted(screen("long line"), screen("long"))[1] == "\u{1B}[1;6H\u{1B}[K")
    }

    @Test func `a list that moves by one line is scrolled`() {
        let lines = (0..<9).map { "the hit number \($0)" }
        let before = screen(lines[0], lines[1], lines[2], lines[3], lines[4], lines[5], lines[6])
        let after = screen(lines[1], lines[2], lines[3], lines[4], lines[5], lines[6], lines[7])
        #expect(painted(before, after)[1] == "\u{1B}[1;7r\u{1B}[1S\u{1B}[r\u{1B}[7Hthe hit number 7")
    }

    @Test func `if the terminal has no colours, other attributes are kept`() {
        var screen = Screen(columns: 10, rows: 1)
        screen.write("a", row: 0, column: 0, Look(.red, isBold: true))
        let bytes = painted(screen, capabilities: Capabilities(hasColours: false))[0]
        #expect(bytes.contains("\u{1B}[1ma"))
        #expect(!bytes.contains("31"))
    }

    @Test func `if the terminal has no UTF-8, the output is ASCII with the same width`() {
        let bytes = painted(screen("고양 · é…"), capabilities: Capabilities(hasColours: true, isUTF8: false))[0]
        #expect(bytes.hasSuffix("???? - ?~"))
        #expect(bytes.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `after “forget”, the complete screen is drawn again`() {
        var painter = Painter(Capabilities(hasColours: true))
        let screen = screen("a")
        let first = painter.bytes(for: screen)
        painter.forget()
        #expect(painter.bytes(for: screen) == first)
    }
}

struct ScreenTests {
    @Test func `wide graphemes take two columns and are never cut in half`() {
        var screen = Screen(columns: 5, rows: 1)
        #expect(screen.write("고양이", row: 0, column: 0) == 4)
        #expect(screen.lines == ["고양"])
        screen.write("x", row: 0, column: 1)
        #expect(screen.lines == [" x양"])
        screen.write("y", row: 0, column: 2)
        #expect(screen.lines == [" xy"])
    }

    @Test func `text outside the screen, or right of the given end, is not written`() {
        var screen = Screen(columns: 4, rows: 2)
        screen.write("abc", row: -1, column: 0)
        screen.write("abc", row: 2, column: 0)
        screen.write("abcdef", row: 0, column: 2)
        screen.write("abcdef", row: 1, column: -2, end: 3)
        #expect(screen.lines == ["  ab", "cde"])
    }

    @Test func `control characters are replaced before they are written to cells`() {
        var screen = Screen(columns: 20, rows: 1)
        screen.write("a\u{1B}[2Jb\r\n\u{9B}c\u{7F}", row: 0, column: 0)
        #expect(screen.lines == ["a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}c\u{FFFD}"])
    }

    @Test(arguments: [(0, 0, 1, 1), (5000, 5000, Screen.columnsMax, Screen.rowsMax), (-3, 7, 1, 7)])
    func `the size of a screen is limited`(
        columns: Int,
        rows: Int,
        keptColumns: Int,
        keptRows: Int
    ) {
        let screen = Screen(columns: columns, rows: rows)
        #expect(screen.columns == keptColumns)
        #expect(screen.rows == keptRows)
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], true, true, true), (["TERM": "dumb"], false, true, true),
        ([:], false, false, true), (["TERM": "xterm", "NO_COLOR": "1"], true, false, true),
        (["TERM": "xterm", "LANG": "ko_KR.EUC-KR"], true, true, false),
        (["TERM": "xterm", "LANG": "ko_KR.UTF-8"], true, true, true),
        (["TERM": "xterm", "LC_ALL": "C"], true, true, false),
        (["TERM": "xterm", "LC_ALL": "C.utf8", "LANG": "ko_KR.EUC-KR"], true, true, true),
    ])
    func `capabilities are read from the environment`(
        environment: [String: String],
        canDraw: Bool,
        hasColours: Bool,
        isUTF8: Bool
    ) {
        let capabilities = Capabilities { environment[$0] }
        #expect(capabilities.canDraw == canDraw)
        if canDraw { #expect(capabilities.hasColours == hasColours) }
        #expect(capabilities.isUTF8 == isUTF8)
    }
}
