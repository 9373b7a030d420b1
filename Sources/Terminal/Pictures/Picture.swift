/// A picture as a terminal shows it, of which nothing is left that could drive it; pure.
package struct Picture: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        /// Row by row.
        case cells([Screen.Cell])
        case graphics(Graphics)
    }

    package let columns: Int
    package let rows: Int
    let content: Content

    /// What it takes in memory, about.
    package var byteCount: Int {
        switch content {
        case .cells(let cells): cells.count * MemoryLayout<Screen.Cell>.stride
        case .graphics(let graphics): graphics.parts.reduce(0) { $0 + $1.count }
        }
    }
}

/// A picture in the words of a terminal's own protocol.
///
/// No two have the same number while one of them is shown.
struct Graphics: Equatable, Sendable {
    enum Form: Equatable, Sendable {
        /// What stands between the introducer and the end of the string.
        case sixel
        /// Base64 of width · height · 4 bytes.
        case kitty(width: Int, height: Int)
        /// Base64 of a file.
        case iTerm(width: Int, height: Int)
    }

    /// Not 0.
    let number: UInt32
    let form: Form
    /// The data; several only of kitty's protocol, each with base64 of its own.
    ///
    /// Checked: no byte ends the string or begins another.
    let parts: [[UInt8]]

    static func == (first: Graphics, second: Graphics) -> Bool { first.number == second.number }
}

/// Which room a picture has, and how large a cell of the terminal is.
package struct PictureBox: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
    }
}

/// The size of a terminal's cell in dots.
package struct CellSize: Hashable, Sendable {
    /// That of VT340, for which sixels were made.
    package static let usual = CellSize(width: 10, height: 20)

    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }
}
