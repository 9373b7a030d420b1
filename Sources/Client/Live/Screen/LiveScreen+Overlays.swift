import Hangul
import SearchModel
import Terminal

/// What stands above the list.
extension LiveScreen {
    func drawHelp(_ firstLine: Int, on screen: inout Screen) {
        let lines = LiveHelp.lines(columns: screen.columns)
        clear(0..<screen.rows, on: &screen)
        let room = screen.rows - 1
        for (row, line) in lines.dropFirst(firstLine).prefix(room).enumerated() {
            screen.write(line, row: row, column: 0, line.hasPrefix(" ") ? .plain : .bold)
        }
        let hint = lines.count > room ? "↑ ↓ more · q closes" : "any key closes"
        screen.write(hint, row: screen.rows - 1, column: 0, .dim)
    }

    func draw(_ picker: Picker, on screen: inout Screen) {
        clear(1..<screen.rows, on: &screen)
        let title = LineWrap.cut(Cell.cells(picker.title), columns: screen.columns).map(\.text).joined()
        screen.write(title, row: 1, column: 0, .bold)
        let room = max(1, screen.rows - 3)
        let first = max(0, min(picker.selected - room / 2, picker.entries.count - room))
        let names = picker.entries.map { DisplayWidth.columns(of: VisibleText.visible($0.name)) }.max() ?? 0
        for (row, entry) in picker.entries.dropFirst(first).prefix(room).enumerated() {
            let isSelected = first + row == picker.selected
            let mark = picker.chosen.contains(entry.name) ? "✓ " : "  "
            let name = DisplayWidth.padded(VisibleText.visible(entry.name), names)
            if isSelected { screen.write("▌", row: row + 2, column: 0, Look(.cyan, isBold: true)) }
            let end = screen.write(mark + name, row: row + 2, column: 2, Look(isBold: isSelected))
            let about = LineWrap.cut(Cell.cells(entry.about), columns: screen.columns - end - 2)
            screen.write(about.map(\.text).joined(), row: row + 2, column: end + 2, .dim)
        }
    }

    func draw(_ prompt: ItemPrompt, on screen: inout Screen) {
        let row = screen.rows - 1
        clear(row..<screen.rows, on: &screen)
        let start = screen.write(
            prompt.label(columns: screen.columns),
            row: row,
            column: 0,
            Look(.yellow, isBold: true)
        )
        let shown = prompt.field.shown(columns: screen.columns - start)
        screen.write(shown.text, row: row, column: start)
        screen.cursor = Screen.Position(row: row, column: min(start + shown.cursor, screen.columns - 1))
    }

    private func clear(_ rows: Range<Int>, on screen: inout Screen) {
        let blanks = String(repeating: " ", count: screen.columns)
        for row in rows.clamped(to: 0..<screen.rows) { screen.write(blanks, row: row, column: 0) }
    }
}
