import Terminal

/// Divides the screen into areas.
struct LiveLayout: Equatable {
    struct Area: Equatable {
        var row: Int
        var column: Int
        var rows: Int
        var columns: Int

        var box: PictureBox { PictureBox(columns: columns, rows: rows) }
        var endColumn: Int { column + columns }

        func contains(_ mouse: Mouse) -> Bool {
            (row..<row + rows).contains(mouse.row) && (column..<endColumn).contains(mouse.column)
        }
    }

    struct Pictures: Equatable {
        var ofItems = false
        var isTiled = false
        var ofDetails = false
    }

    private static let besideColumnsMin = 100
    private static let belowRowsMin = 12
    private static let twoRowsColumnsMin = 30
    private static let threeRowsMin = 30
    private static let thumbnailColumnsMin = 50
    private static let pictureRowsMin = 8
    private static let pictureRowsMax = 14

    let columns: Int
    let rows: Int
    /// The row of the suggestions, or of the chosen order, kinds and sources.
    let secondRow: Int?
    let sourceRow: Int?
    let statusRow: Int?
    /// The area of the hits; has no rows if the details need the space.
    private(set) var list: Area
    private(set) var details: Area?
    private(set) var detailsPicture: Area?
    private(set) var grid: ItemGrid
    private(set) var thumbnail: PictureBox?

    init(columns: Int, rows: Int, hasDetails: Bool, pictures: Pictures = Pictures()) {
        (self.columns, self.rows) = (columns, rows)
        secondRow = rows >= 8 ? 1 : nil
        statusRow = rows >= 3 ? rows - 1 : nil
        sourceRow = rows >= 10 ? rows - 2 : nil
        let first = secondRow == nil ? 1 : 2
        let height = max(0, (sourceRow ?? statusRow ?? rows) - first)
        list = Area(row: first, column: 0, rows: height, columns: columns)
        let itemRows = columns < Self.twoRowsColumnsMin || height < 6 ? 1 : height < Self.threeRowsMin ? 2 : 3
        grid = ItemGrid(list, itemRows: itemRows)
        if hasDetails {
            addDetails()
            grid = ItemGrid(list, itemRows: itemRows)
            if pictures.ofDetails { addDetailsPicture() }
        }
        if pictures.isTiled, let tiles = ItemGrid(tilesIn: list) {
            grid = tiles
        } else if pictures.ofItems, itemRows > 1, list.columns >= Self.thumbnailColumnsMin {
            thumbnail = PictureBox(columns: 2 * itemRows + 1, rows: itemRows)
        }
    }

    private mutating func addDetails() {
        if columns >= Self.besideColumnsMin {
            let width = columns * 45 / 100
            list.columns = columns - width - 1
            details = Area(row: list.row, column: columns - width, rows: list.rows, columns: width)
        } else if list.rows >= Self.belowRowsMin {
            let height = list.rows * 55 / 100
            list.rows -= height + 1
            details = Area(row: list.row + list.rows + 1, column: 1, rows: height, columns: columns - 2)
        } else {
            details = list
            list.rows = 0
        }
    }

    private mutating func addDetailsPicture() {
        guard var area = details, area.rows >= Self.pictureRowsMin, area.columns >= Self.pictureRowsMin else { return }
        let height = min(area.rows / 2, Self.pictureRowsMax)
        detailsPicture = Area(row: area.row, column: area.column, rows: height, columns: min(area.columns, 4 * height))
        area.row += height + 1
        area.rows -= height + 1
        details = area
    }
}

/// The arrangement of the visible hits: one below the other, or as tiles.
struct ItemGrid: Equatable {
    private static let tileColumnsMin = 20
    private static let tileRowsMin = 8
    private static let tileMargin = 2

    let isTiled: Bool
    let perRow: Int
    let rows: Int
    /// Includes a last row that is only partly visible.
    let drawnRows: Int
    let itemColumns: Int
    let itemRows: Int

    init(_ area: LiveLayout.Area, itemRows: Int) {
        isTiled = false
        perRow = 1
        rows = max(1, area.rows / itemRows)
        drawnRows = (area.rows + itemRows - 1) / itemRows
        itemColumns = area.columns
        self.itemRows = itemRows
    }

    init?(tilesIn area: LiveLayout.Area) {
        guard area.columns >= 2 * Self.tileColumnsMin, area.rows >= Self.tileRowsMin else { return nil }
        isTiled = true
        perRow = area.columns / Self.tileColumnsMin
        rows = area.rows / Self.tileRowsMin
        drawnRows = rows
        itemColumns = area.columns / perRow
        itemRows = area.rows / rows
    }

    var count: Int { perRow * rows }
    var drawnCount: Int { perRow * drawnRows }
    var box: PictureBox { PictureBox(columns: itemColumns - Self.tileMargin, rows: itemRows - 1) }

    /// `place` is 0 for the first visible item.
    func area(of place: Int, in list: LiveLayout.Area) -> LiveLayout.Area {
        let row = place / perRow * itemRows
        return LiveLayout.Area(
            row: list.row + row,
            column: list.column + place % perRow * itemColumns,
            rows: min(itemRows, list.rows - row),
            columns: itemColumns
        )
    }

    func place(at mouse: Mouse, in list: LiveLayout.Area) -> Int? {
        (0..<drawnCount).first { area(of: $0, in: list).contains(mouse) }
    }
}
