import Testing

@testable import Terminal

struct ScreenTests {
    @Test func `wide graphemes take two columns, and none is cut in half`() {
        var screen = Screen(columns: 5, rows: 1)
        #expect(screen.write("고양이", row: 0, column: 0) == 4)
        #expect(screen.lines == ["고양"])
        screen.write("x", row: 0, column: 1)
        #expect(screen.lines == [" x양"])
        screen.write("y", row: 0, column: 2)
        #expect(screen.lines == [" xy"])
    }

    @Test func `nothing is written outside, above, below or behind the end`() {
        var screen = Screen(columns: 4, rows: 2)
        screen.write("abc", row: -1, column: 0)
        screen.write("abc", row: 2, column: 0)
        screen.write("abcdef", row: 0, column: 2)
        screen.write("abcdef", row: 1, column: -2, end: 3)
        #expect(screen.lines == ["  ab", "cde"])
    }

    @Test func `what could drive a terminal is never in a cell`() {
        var screen = Screen(columns: 20, rows: 1)
        screen.write("a\u{1B}[2Jb\r\n\u{9B}c\u{7F}", row: 0, column: 0)
        #expect(screen.lines == ["a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}c\u{FFFD}"])
    }

    @Test(arguments: [(0, 0, 1, 1), (5000, 5000, Screen.columnsMax, Screen.rowsMax), (-3, 7, 1, 7)])
    func `a size is never less than one cell nor more than any terminal's`(
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
    func `the environment says what the terminal can do`(
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
