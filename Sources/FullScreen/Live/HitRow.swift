import Client
import Hangul
import JSON
import RPC
import SearchModel
import Terminal

/// Draws an item of the list into its area.
struct HitRow {
    let item: HitList.Item
    let area: LiveLayout.Area
    let marks: QueryMarks
    var isSelected = false
    var isFocused = false
    var isSaved = false

    func drawLines(_ itemRows: Int, _ clock: LocalClock, on screen: inout Screen) {
        guard area.rows > 0 else { return }
        drawSelection(on: &screen)
        if isSaved { screen.write("★", row: area.row, column: area.column + 1, end: area.endColumn, Look(.yellow)) }
        let column = area.column + (itemRows > 1 ? 3 : 2)
        let hit = FoundHit(item.hit)
        drawTitle(hit, row: area.row, column: column, end: area.endColumn, on: &screen)
        guard area.rows > 1 else { return }
        let own = item.hit[.savedAt] == nil ? "" : SavedText(item.hit).additions
        let layout = HitLines(columns: area.endColumn - column, now: clock.now, zone: clock.zone, marks: marks)
        for (index, line) in layout.lines(hit, own: own, count: area.rows - 1).enumerated() {
            var column = column
            for piece in line {
                let look =
                    switch piece.role {
                    case .own: Look(.yellow)
                    case .origin: Look(.cyan)
                    case .address, .separator: Look.dim
                    case .text: Look.plain
                    }
                column = write(piece.cells, area.row + 1 + index, column, area.endColumn, look, on: &screen)
            }
        }
    }

    func drawTile(_ picture: Picture?, on screen: inout Screen) {
        drawSelection(on: &screen)
        if let picture {
            let space = max(0, area.columns - 2 - picture.columns)
            screen.place(picture, row: area.row, column: area.column + 1 + space / 2)
        }
        let (row, end) = (area.row + area.rows - 1, area.endColumn - 1)
        var column = area.column + 1
        if isSaved { column = screen.write("★", row: row, column: column, end: end, Look(.yellow)) }
        drawTitle(FoundHit(item.hit), row: row, column: column, end: end, on: &screen)
    }

    private func drawSelection(on screen: inout Screen) {
        for row in area.row..<area.row + area.rows where isSelected {
            screen.write("▌", row: row, column: area.column, isFocused ? Look(.cyan, isBold: true) : .dim)
        }
    }

    private func drawTitle(_ hit: FoundHit, row: Int, column: Int, end: Int, on screen: inout Screen) {
        let title = hit.title.isEmpty ? HitText.untitled : hit.title
        let given = hit.title.isEmpty ? [] : hit.titleMarks
        let cells = Cell.cells(title, marks: QueryMarks.joined(given + marks.ranges(in: title)))
        let look = Look(isBold: isSelected && isFocused)
        write(LineWrap.cut(cells, columns: end - column), row, column, end, look, on: &screen)
    }

    @discardableResult
    private func write(
        _ cells: [Cell],
        _ row: Int,
        _ column: Int,
        _ end: Int,
        _ base: Look,
        on screen: inout Screen
    ) -> Int {
        var column = column
        for cell in cells {
            var look = base
            if cell.isMarked { (look.isBold, look.isUnderlined) = (true, base.isBold) }
            column = screen.write(cell.text, row: row, column: column, end: end, look)
        }
        return column
    }
}
