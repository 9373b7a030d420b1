import Client
import Terminal

/// Which rows and columns are for what; pure.
///
/// On a small screen the list comes first: what only helps is left out.
struct LiveLayout: Equatable {
    struct Area: Equatable {
        var row: Int
        var column: Int
        var rows: Int
        var columns: Int

        var box: PictureBox { PictureBox(columns: columns, rows: rows) }

        func contains(row: Int, column: Int) -> Bool {
            (self.row..<self.row + rows).contains(row) && (self.column..<self.column + columns).contains(column)
        }
    }

    static let columnsMin = 20
    static let rowsMin = 5
    private static let besideColumnsMin = 100
    private static let belowRowsMin = 12
    private static let twoRowsColumnsMin = 30
    /// With a list as tall, an item has a line for its text alone.
    private static let threeRowsMin = 30
    private static let thumbnailColumnsMin = 50
    private static let pictureRowsMin = 8
    private static let pictureRowsMax = 14

    let columns: Int
    let rows: Int
    /// Suggestions, or what was chosen besides the query.
    private(set) var secondRow: Int?
    private(set) var stripRow: Int?
    private(set) var statusRow: Int?
    /// Empty where the details take its room.
    private(set) var list: Area
    private(set) var details: Area?
    /// Lines of an item.
    let itemRows: Int
    /// The room of the picture beside an item; nil where there are none.
    private(set) var thumbnail: PictureBox?
    /// The list as tiles; nil for lines.
    private(set) var grid: HitGrid?
    /// The room of the picture above the details; nil without one.
    private(set) var detailsPicture: Area?

    /// Which pictures there are.
    struct Pictures: Equatable {
        var ofItems = false
        var isGrid = false
        var ofDetails = false
    }

    init(columns: Int, rows: Int, hasDetails: Bool, pictures: Pictures = Pictures()) {
        (self.columns, self.rows) = (columns, rows)
        secondRow = rows >= 8 ? 1 : nil
        statusRow = rows >= 3 ? rows - 1 : nil
        stripRow = rows >= 10 ? rows - 2 : nil
        let first = secondRow == nil ? 1 : 2
        let end = stripRow ?? statusRow ?? rows
        list = Area(row: first, column: 0, rows: max(0, end - first), columns: columns)
        let isWide = columns >= Self.twoRowsColumnsMin
        itemRows = !isWide || list.rows < 6 ? 1 : list.rows < Self.threeRowsMin ? 2 : 3
        if hasDetails { addDetails() }
        if pictures.ofItems, itemRows > 1, list.columns >= Self.thumbnailColumnsMin {
            thumbnail = PictureBox(columns: 2 * itemRows + 1, rows: itemRows)
        }
        if pictures.isGrid { grid = HitGrid(list) }
        if pictures.ofDetails { addDetailsPicture() }
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

    /// How many items stand on the screen at a time.
    var page: Int { grid?.count ?? max(1, list.rows / itemRows) }
}
