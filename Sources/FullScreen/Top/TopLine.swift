import Client
import Hangul
import Terminal

/// A line of the screen, in pieces with different styles.
struct TopLine: Equatable {
    struct Piece: Equatable {
        let text: String
        let look: Look

        init(_ text: String, _ look: Look = .plain) { (self.text, self.look) = (text, look) }
    }

    private(set) var pieces: [Piece] = []

    init(_ text: String = "", _ look: Look = .plain) { add(text, look) }

    mutating func add(_ text: String, _ look: Look = .plain) {
        if !text.isEmpty { pieces.append(Piece(text, look)) }
    }

    /// Aligns rows in columns, two spaces apart.
    ///
    /// - Parameters:
    ///   - rows: The cells of each row; all rows have the same number.
    ///   - rightColumns: The columns of figures, aligned to the right.
    /// - Returns: A line for each row.
    static func aligned(_ rows: [[Piece]], rightColumns: Set<Int> = []) -> [TopLine] {
        let count = rows.first?.count ?? 0
        let widths = (0..<count).map { column in rows.map { DisplayWidth.columns(of: $0[column].text) }.max() ?? 0 }
        return rows.map { row in
            var line = TopLine()
            for (column, cell) in row.enumerated() {
                let isRight = rightColumns.contains(column)
                let padded = DisplayWidth.padded(cell.text, widths[column], toRight: isRight) + "  "
                line.add(column == count - 1 ? cell.text : padded, cell.look)
            }
            return line
        }
    }

    var columns: Int { pieces.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } }

    /// Draws it into a row of a screen, with an ellipsis if it is cut.
    func draw(on screen: inout Screen, row: Int) {
        var column = 0
        for (index, piece) in pieces.enumerated() {
            // Leaves a column for the ellipsis of the next piece.
            let space = screen.columns - column - (index == pieces.count - 1 ? 0 : 1)
            column = screen.write(piece.text.cut(columns: space), row: row, column: column, piece.look)
            if DisplayWidth.columns(of: piece.text) > space { return }
        }
    }
}

/// Figures as graphics.
enum Graph {
    private static let levels = Array("▁▂▃▄▅▆▇█")

    /// The last figures as a line of bars; the highest one is full.
    static func sparkline(_ figures: [Double], columns: Int) -> String {
        let shown = figures.suffix(max(0, columns))
        let highest = shown.max() ?? 0
        return String(
            shown.map { figure in
                guard highest > 0, figure > 0 else { return levels[0] }
                return levels[min(levels.count - 1, Int(figure / highest * Double(levels.count - 1) + 0.5))]
            }
        )
    }

    /// A share from 0 to 1 as a bar; only 1 is full.
    static func bar(_ share: Double, columns: Int) -> String {
        let whole = max(0, columns)
        var filled = Int((min(1, max(0, share)) * Double(whole)).rounded())
        if share < 1, filled == whole, whole > 0 { filled -= 1 }
        return String(repeating: "█", count: filled) + String(repeating: "░", count: whole - filled)
    }
}
