import Client
import Hangul
import Terminal

/// A line of the screen, in pieces that look different; pure.
struct TopLine: Equatable {
    struct Piece: Equatable {
        let text: String
        var look = Look.plain
    }

    private(set) var pieces: [Piece] = []

    init(_ text: String = "", _ look: Look = .plain) {
        add(text, look)
    }

    mutating func add(_ text: String, _ look: Look = .plain) {
        if !text.isEmpty { pieces.append(Piece(text: text, look: look)) }
    }

    /// Rows of cells in columns two spaces apart, as wide as their widest cell; the last column is as it is.
    ///
    /// - Parameters:
    ///   - rows: The cells of each row, as many in all of them.
    ///   - rightColumns: The columns of figures, whose cells end below each other.
    /// - Returns: A line for each row.
    static func aligned(_ rows: [[Piece]], rightColumns: Set<Int> = []) -> [TopLine] {
        let count = rows.first?.count ?? 0
        let widths = (0..<count).map { column in rows.map { DisplayWidth.columns(of: $0[column].text) }.max() ?? 0 }
        return rows.map { row in
            var line = TopLine()
            for (column, cell) in row.enumerated() {
                let isLast = column == count - 1
                let toRight = rightColumns.contains(column)
                let text = isLast ? cell.text : DisplayWidth.padded(cell.text, widths[column], toRight: toRight) + "  "
                line.add(text, cell.look)
            }
            return line
        }
    }

    var columns: Int { pieces.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } }

    /// Writes it into a row of a screen, with an ellipsis where it is cut.
    func write(on screen: inout Screen, row: Int) {
        let isCut = columns > screen.columns
        let end = isCut ? screen.columns - 1 : screen.columns
        var column = 0
        for piece in pieces {
            for cell in Cell.cells(piece.text) {
                guard column + cell.columns <= end else {
                    screen.write("…", row: row, column: column)
                    return
                }
                column = screen.write(cell.text, row: row, column: column, piece.look)
            }
        }
    }
}

/// Figures as pictures; pure.
enum Graph {
    private static let levels = Array("▁▂▃▄▅▆▇█")

    /// The last figures as a line of bars, the highest of them a whole one.
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

    /// A share from 0 to 1 as a bar; only all of it fills it.
    static func bar(_ share: Double, columns: Int) -> String {
        let whole = max(0, columns)
        var filled = Int((min(1, max(0, share)) * Double(whole)).rounded())
        if share < 1, filled == whole, whole > 0 { filled -= 1 }
        return String(repeating: "█", count: filled) + String(repeating: "░", count: whole - filled)
    }
}
