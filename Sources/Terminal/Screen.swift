import Hangul

/// The content of a terminal: rows of cells without control characters.
package struct Screen: Equatable, Sendable {
    package struct Cell: Equatable, Sendable {
        static let blank = Cell(text: " ", look: .plain)

        /// One grapheme, or empty in the second column of a wide grapheme.
        var text: String
        var look: Look
    }

    package struct Position: Equatable, Sendable {
        package var row: Int
        package var column: Int

        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// Larger screens are cut, because a terminal may report any size.
    package static let columnsMax = 1000
    package static let rowsMax = 500

    package let columns: Int
    package let rows: Int
    package var cursor: Position?
    private(set) var cells: [Cell]
    /// Graphics, which cover blank cells.
    ///
    /// Writing to a covered cell removes the graphics.
    private(set) var stamps: [Stamp] = []

    struct Stamp: Equatable, Sendable {
        let row: Int
        let column: Int
        let rows: Int
        let columns: Int
        let graphics: Graphics
    }

    package init(columns: Int, rows: Int) {
        self.columns = min(max(1, columns), Self.columnsMax)
        self.rows = min(max(1, rows), Self.rowsMax)
        cells = Array(repeating: .blank, count: self.columns * self.rows)
    }

    subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

    func row(_ row: Int) -> ArraySlice<Cell> { cells[row * columns..<(row + 1) * columns] }

    /// Cuts the text before the column `end`, and returns the column after the text.
    @discardableResult
    package mutating func write(
        _ text: String,
        row: Int,
        column: Int,
        end: Int? = nil,
        _ look: Look = .plain
    ) -> Int {
        guard (0..<rows).contains(row) else { return column }
        let end = min(end ?? columns, columns)
        var column = column
        for grapheme in text {
            let width = DisplayWidth.columns(of: grapheme)
            if Self.isControl(grapheme) {
                guard column < end else { break }
                if column >= 0 { set(row, column, "\u{FFFD}", 1, look) }
                column += 1
                continue
            }
            guard width > 0 else { continue }
            guard column + width <= end else { break }
            if column >= 0 { set(row, column, String(grapheme), width, look) }
            column += width
        }
        return column
    }

    /// Skips graphics that would touch the last row, because graphics there make terminals scroll.
    package mutating func place(_ picture: Picture, row: Int, column: Int) {
        switch picture.content {
        case .cells(let cells):
            for (index, cell) in cells.enumerated() {
                let (row, column) = (row + index / picture.columns, column + index % picture.columns)
                guard (0..<rows).contains(row), (0..<columns).contains(column) else { continue }
                set(row, column, cell.text, 1, cell.look)
            }
        case .graphics(let graphics):
            guard row >= 0, column >= 0, row + picture.rows < rows, column + picture.columns <= columns else { return }
            var look = Look.plain
            look.cover = graphics.number
            for row in row..<row + picture.rows {
                for column in column..<column + picture.columns { set(row, column, " ", 1, look) }
            }
            stamps.append(
                Stamp(row: row, column: column, rows: picture.rows, columns: picture.columns, graphics: graphics)
            )
        }
    }

    /// Rows move up by `count`, or down if `count` is negative.
    mutating func scroll(_ range: Range<Int>, by count: Int) {
        for stamp in stamps where range.overlaps(stamp.row..<stamp.row + stamp.rows) {
            uncover(stamp.row, stamp.column)
        }
        let before = self
        for row in range {
            let from = row + count
            let source = range.contains(from) ? before.row(from) : ArraySlice(repeating: .blank, count: columns)
            cells.replaceSubrange(row * columns..<(row + 1) * columns, with: source)
        }
    }

    package var lines: [String] {
        (0..<rows).map { row in
            let text = self.row(row).map(\.text).joined()
            return String(text.unicodeScalars.dropLast(text.utf8.reversed().prefix { $0 == 0x20 }.count))
        }
    }

    package func texts(row: Int, where looks: (Look) -> Bool) -> [String] {
        var texts: [String] = []
        var isInside = false
        for cell in self.row(row) {
            if looks(cell.look) {
                if isInside { texts[texts.count - 1] += cell.text } else { texts.append(cell.text) }
            }
            isInside = looks(cell.look)
        }
        return texts
    }

    private mutating func set(_ row: Int, _ column: Int, _ text: String, _ width: Int, _ look: Look) {
        let index = row * columns + column
        for column in column..<min(column + width, columns) where self[row, column].look.cover != 0 {
            uncover(row, column)
        }
        // If one half of a wide grapheme is overwritten, the other half becomes blank.
        if cells[index].text.isEmpty, column > 0 { cells[index - 1].text = " " }
        let next = column + width
        if next < columns, cells[index + width].text.isEmpty { cells[index + width].text = " " }
        cells[index] = Cell(text: text, look: look)
        if width > 1 { cells[index + 1] = Cell(text: "", look: look) }
    }

    private mutating func uncover(_ row: Int, _ column: Int) {
        let covering = stamps.filter { stamp in
            (stamp.row..<stamp.row + stamp.rows).contains(row)
                && (stamp.column..<stamp.column + stamp.columns).contains(column)
        }
        stamps.removeAll { covering.contains($0) }
        for stamp in covering {
            for row in stamp.row..<stamp.row + stamp.rows {
                for column in stamp.column..<stamp.column + stamp.columns { cells[row * columns + column] = .blank }
            }
        }
    }

    private static func isControl(_ grapheme: Character) -> Bool {
        grapheme.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }
    }
}
