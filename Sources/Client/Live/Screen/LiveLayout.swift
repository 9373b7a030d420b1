/// Which rows and columns are for what; pure.
///
/// On a small screen the list comes first: what only helps is left out.
struct LiveLayout: Equatable {
    struct Area: Equatable {
        var row: Int
        var column: Int
        var rows: Int
        var columns: Int

        func contains(row: Int, column: Int) -> Bool {
            (self.row..<self.row + rows).contains(row) && (self.column..<self.column + columns).contains(column)
        }
    }

    static let columnsMin = 20
    static let rowsMin = 5
    private static let besideColumnsMin = 100
    private static let belowRowsMin = 12
    private static let twoRowsColumnsMin = 30

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

    init(columns: Int, rows: Int, hasDetails: Bool) {
        (self.columns, self.rows) = (columns, rows)
        secondRow = rows >= 8 ? 1 : nil
        statusRow = rows >= 3 ? rows - 1 : nil
        stripRow = rows >= 10 ? rows - 2 : nil
        let first = secondRow == nil ? 1 : 2
        let end = stripRow ?? statusRow ?? rows
        list = Area(row: first, column: 0, rows: max(0, end - first), columns: columns)
        itemRows = list.rows >= 6 && columns >= Self.twoRowsColumnsMin ? 2 : 1
        guard hasDetails else { return }
        if columns >= Self.besideColumnsMin {
            let width = columns * 45 / 100
            list.columns = columns - width - 1
            details = Area(row: first, column: columns - width, rows: list.rows, columns: width)
        } else if list.rows >= Self.belowRowsMin {
            let height = list.rows * 55 / 100
            list.rows -= height + 1
            details = Area(row: first + list.rows + 1, column: 1, rows: height, columns: columns - 2)
        } else {
            details = list
            list.rows = 0
        }
    }

    /// How many items stand on the screen at a time.
    var page: Int { max(1, list.rows / itemRows) }
}
