import Client
import Hangul
import Terminal

/// A part of a line in one style.
struct TopPiece: Equatable {
    let text: String
    let look: Look

    init(_ text: String, _ look: Look = .plain) { (self.text, self.look) = (text, look) }
}

/// A line of the screen, in pieces with different styles.
struct TopLine {
    var pieces: [TopPiece] = []

    init(_ pieces: TopPiece...) { self.pieces = pieces }

    /// Aligns the cells of rows in columns.
    ///
    /// All rows must have the same number of cells.
    ///
    /// The columns in `rightColumns` are aligned to the right.
    static func aligned(_ rows: [[TopPiece]], rightColumns: Set<Int> = []) -> [TopLine] {
        let columns = rows.first?.indices.dropLast() ?? 0..<0
        let widths = columns.map { column in rows.map { DisplayWidth.columns(of: $0[column].text) }.max() ?? 0 }
        return rows.map { row in
            var line = TopLine()
            line.pieces = row
            for column in columns {
                let isRight = rightColumns.contains(column)
                let text = DisplayWidth.padded(row[column].text, widths[column], toRight: isRight) + "  "
                line.pieces[column] = TopPiece(text, row[column].look)
            }
            return line
        }
    }

    /// Draws the line into a row of a screen, with an ellipsis if it is cut.
    func draw(on screen: inout Screen, row: Int) {
        var column = 0
        for (index, piece) in pieces.enumerated() {
            // Leave a column for the ellipsis of the next piece.
            let space = screen.columns - column - (index == pieces.count - 1 ? 0 : 1)
            column = screen.write(piece.text.cut(columns: space), row: row, column: column, piece.look)
            if DisplayWidth.columns(of: piece.text) > space { return }
        }
    }
}

/// Draws numbers as bars.
enum Graph {
    private static let levels = Array("▁▂▃▄▅▆▇█")

    /// Returns a line of bars for the last numbers, with a full bar for the highest one.
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

    /// Returns a bar for a share from 0 to 1, which is full only for 1.
    static func bar(_ share: Double, columns: Int) -> String {
        let whole = max(0, columns)
        var filled = Int((min(1, max(0, share)) * Double(whole)).rounded())
        if share < 1, filled == whole, whole > 0 { filled -= 1 }
        return String(repeating: "█", count: filled) + String(repeating: "░", count: whole - filled)
    }
}
