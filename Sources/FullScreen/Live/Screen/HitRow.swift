import Client
import Hangul
import JSON
import RPC
import SearchModel
import Terminal

/// Draws one item of the list; pure.
struct HitRow {
    let marks: QueryMarks
    let now: Int64
    let zone: LocalZone
    let area: LiveLayout.Area
    let itemRows: Int

    struct State {
        var isSelected = false
        /// Whether keys go to the list.
        var isFocused = false
        var isSaved = false
        /// Whether the list is still that of another query.
        var isStale = false
    }

    /// - Parameters:
    ///   - item: What is drawn.
    ///   - row: Where its first line stands on the screen, a heading included.
    ///   - state: How it looks.
    ///   - screen: Is drawn on; nothing is drawn outside of the area.
    func draw(_ item: HitList.Item, row: Int, _ state: State, on screen: inout Screen) {
        var row = row
        let end = area.row + area.rows
        let columnEnd = area.column + area.columns
        if let heading = item.heading, row < end {
            screen.write(VisibleText.visible(heading), row: row, column: area.column, end: columnEnd, .bold)
            row += 1
        }
        guard row < end else { return }
        let hit = FoundHit(item.hit)
        let gutter = itemRows > 1 ? 3 : 2
        for line in row..<min(row + itemRows, end) where state.isSelected {
            let look = state.isFocused ? Look(.cyan, isBold: true) : Look.dim
            screen.write("▌", row: line, column: area.column, end: columnEnd, look)
        }
        if state.isSaved { screen.write("★", row: row, column: area.column + 1, end: columnEnd, Look(.yellow)) }
        title(hit, row, area.column + gutter, state, on: &screen)
        let rows = row + 1..<max(row + 1, min(row + itemRows, end))
        if !rows.isEmpty { below(item, hit, rows, area.column + gutter, state, on: &screen) }
    }

    private func title(_ hit: FoundHit, _ row: Int, _ column: Int, _ state: State, on screen: inout Screen) {
        let title = hit.title.isEmpty ? HitText.untitled : hit.title
        let given = hit.title.isEmpty ? [] : hit.titleMarks
        let cells = Cell.cells(title, marks: QueryMarks.joined(given + marks.ranges(in: title)))
        let base = Look(isBold: state.isSelected && state.isFocused, isDim: state.isStale)
        write(LineWrap.cut(cells, columns: area.column + area.columns - column), row, column, base, on: &screen)
    }

    @discardableResult
    private func write(_ cells: [Cell], _ row: Int, _ column: Int, _ base: Look, on screen: inout Screen) -> Int {
        var column = column
        for cell in cells {
            var look = base
            if cell.isMarked { (look.isBold, look.isUnderlined) = (true, base.isBold) }
            column = screen.write(cell.text, row: row, column: column, end: area.column + area.columns, look)
        }
        return column
    }

    /// What is below the title.
    private func below(
        _ item: HitList.Item,
        _ hit: FoundHit,
        _ rows: Range<Int>,
        _ column: Int,
        _ state: State,
        on screen: inout Screen
    ) {
        let end = area.column + area.columns
        let base = Look(isDim: state.isStale)
        let own = item.hit[.savedAt] == nil ? "" : SavedText(item.hit).additions
        let lines = HitLines(columns: end - column, now: now, zone: zone, marks: marks)
        for (row, line) in zip(rows, lines.lines(hit, own: own, count: rows.count)) {
            var column = column
            for piece in line {
                let look =
                    switch piece.role {
                    case .own: Look(.yellow, isDim: state.isStale)
                    case .origin: Look(.cyan, isDim: state.isStale)
                    case .address, .separator: base.dimmed
                    case .text: base
                    }
                column = write(piece.cells, row, column, look, on: &screen)
            }
        }
    }
}

/// Draws one hit of a list of pictures: the picture, and its title below; pure.
struct HitTile {
    let area: LiveLayout.Area
    let marks: QueryMarks

    func draw(_ item: HitList.Item, _ state: HitRow.State, _ picture: Picture?, on screen: inout Screen) {
        let end = area.column + area.columns - 1
        for row in area.row..<area.row + area.rows where state.isSelected {
            screen.write("▌", row: row, column: area.column, state.isFocused ? Look(.cyan, isBold: true) : .dim)
        }
        if let picture {
            let room = area.columns - 2 - picture.columns
            screen.place(picture, row: area.row, column: area.column + 1 + max(0, room / 2))
        }
        let hit = FoundHit(item.hit)
        let row = area.row + area.rows - 1
        var column = area.column + 1
        if state.isSaved { column = screen.write("★", row: row, column: column, end: end, Look(.yellow)) }
        let title = hit.title.isEmpty ? HitText.untitled : hit.title
        let cells = Cell.cells(title, marks: QueryMarks.joined(hit.titleMarks + marks.ranges(in: title)))
        for cell in LineWrap.cut(cells, columns: end - column) {
            var look = Look(isBold: state.isSelected && state.isFocused, isDim: state.isStale)
            if cell.isMarked { look.isUnderlined = true }
            column = screen.write(cell.text, row: row, column: column, end: end, look)
        }
    }
}

/// How a list of pictures is laid out as tiles: a picture with its title below; pure.
struct HitGrid: Equatable {
    private static let columnsWanted = 20
    private static let rowsWanted = 8
    /// The mark at the left, and a blank at the right.
    private static let margin = 2

    /// Tiles beside each other, and rows of them in view.
    let perRow: Int
    let rows: Int
    let tileColumns: Int
    let tileRows: Int

    /// Nil where not even two tiles stand beside each other.
    init?(_ area: LiveLayout.Area) {
        perRow = area.columns / Self.columnsWanted
        rows = max(1, area.rows / Self.rowsWanted)
        guard perRow > 1, area.rows >= Self.rowsWanted else { return nil }
        tileColumns = area.columns / perRow
        tileRows = area.rows / rows
    }

    /// The room of a picture.
    var box: PictureBox { PictureBox(columns: tileColumns - Self.margin, rows: tileRows - 1) }
    var count: Int { perRow * rows }

    /// Where a tile stands, counted from the first in view.
    func tile(_ index: Int, in area: LiveLayout.Area) -> LiveLayout.Area {
        LiveLayout.Area(
            row: area.row + index / perRow * tileRows,
            column: area.column + index % perRow * tileColumns,
            rows: tileRows,
            columns: tileColumns
        )
    }

    /// Which tile stands at a cell of the area, counted from the first in view.
    func index(row: Int, column: Int) -> Int {
        min(row / tileRows, rows - 1) * perRow + min(column / tileColumns, perRow - 1)
    }
}
