import Hangul

/// What a terminal shows: cells in rows; pure.
///
/// Invariant: no cell holds a control character, and behind a cell of two columns stands one with an empty text.
package struct Screen: Equatable, Sendable {
    package struct Cell: Equatable, Sendable {
        static let blank = Cell(text: " ", look: .plain)

        /// One grapheme; empty in the second column of a wide one.
        var text: String
        var look: Look
    }

    /// Where the cursor stands, from 0.
    package struct Position: Equatable, Sendable {
        package var row: Int
        package var column: Int

        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// No terminal is larger; keeps what one reports within reason.
    package static let columnsMax = 1000
    package static let rowsMax = 500

    package let columns: Int
    package let rows: Int
    /// Nil hides it.
    package var cursor: Position?
    private(set) var cells: [Cell]
    /// Graphics in the words of the terminal's protocol, which lie over blank cells; what is written there removes
    /// them.
    private(set) var stamps: [Stamp] = []

    /// A graphics and the cell of its upper left corner.
    struct Stamp: Equatable, Sendable {
        let row: Int
        let column: Int
        let rows: Int
        let columns: Int
        let graphics: Graphics
    }

    /// An empty screen, at most as large as any terminal.
    package init(columns: Int, rows: Int) {
        self.columns = min(max(1, columns), Self.columnsMax)
        self.rows = min(max(1, rows), Self.rowsMax)
        cells = Array(repeating: .blank, count: self.columns * self.rows)
    }

    subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

    func row(_ row: Int) -> ArraySlice<Cell> { cells[row * columns..<(row + 1) * columns] }

    /// Writes a text, as far as it fits before `end`; outside of the screen nothing is written.
    ///
    /// A wide grapheme that would be cut is left out. Control characters become U+FFFD.
    ///
    /// - Parameters:
    ///   - text: On one line.
    ///   - row: From 0.
    ///   - column: Where it begins.
    ///   - end: The column behind the last that may be written; nil is the end of the row.
    ///   - look: Of all of it.
    /// - Returns: The column behind the text.
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

    /// Draws a picture; a graphics only where all of it fits above the last row, which terminals scroll when it is
    /// touched.
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

    /// Gives cells another look.
    package mutating func restyle(row: Int, columns range: Range<Int>, _ change: (Look) -> Look) {
        guard (0..<rows).contains(row) else { return }
        for column in range.clamped(to: 0..<columns) {
            cells[row * columns + column].look = change(self[row, column].look)
        }
    }

    /// Moves rows up by `count`, or down when it is negative; what becomes free is blank, and no graphics is moved.
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

    /// Each row as text, without the blanks at its end: what a test compares.
    package var lines: [String] {
        (0..<rows).map { row in
            let text = self.row(row).map(\.text).joined()
            return String(text.unicodeScalars.dropLast(text.utf8.reversed().prefix { $0 == 0x20 }.count))
        }
    }

    /// The texts of a row that look so, from left to right.
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
        // Half of a wide grapheme can't stay.
        if cells[index].text.isEmpty, column > 0 { cells[index - 1].text = " " }
        let behind = column + width
        if behind < columns, cells[index + width].text.isEmpty { cells[index + width].text = " " }
        cells[index] = Cell(text: text, look: look)
        if width > 1 { cells[index + 1] = Cell(text: "", look: look) }
    }

    /// Removes the graphics over a cell, whole.
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
