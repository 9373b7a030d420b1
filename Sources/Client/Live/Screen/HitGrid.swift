import Terminal

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
