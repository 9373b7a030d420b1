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

/// A picture in the words of kitty's protocol: base64 of width · height · 4 bytes, in parts.
///
/// No two have the same number while one of them is shown.
struct Graphics: Equatable, Sendable {
    /// Not 0.
    let number: UInt32
    let width: Int
    let height: Int
    /// Each with base64 of its own.
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
    /// That of terminals that do not tell.
    package static let usual = CellSize(width: 10, height: 20)

    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }
}

/// In which units a picture is drawn into its box; pure.
package enum PictureSize {
    /// The program draws in squares of so many dots where it draws dots.
    static let unit = 8
    /// A picture of more dots would only be more bytes.
    static let widthMax = 640
    static let heightMax = 480

    /// The columns and rows that the program is given, which for dots are squares of `unit`.
    package static func units(_ kind: GraphicsKind, _ box: PictureBox, _ cell: CellSize) -> (columns: Int, rows: Int) {
        guard kind != .symbols else { return (box.columns, box.rows) }
        let width = min(box.columns * cell.width, widthMax)
        let height = min(box.rows * cell.height, heightMax)
        return (max(1, width / unit), max(1, height / unit))
    }
}

/// What makes a terminal show a graphics, move it and take it away; pure.
enum GraphicsSequence {
    /// Placements of kitty's protocol are numbered by where they stand.
    private static let columnsMax = 1 << 12

    /// Shows it at the cursor.
    static func draw(_ stamp: Screen.Stamp) -> String {
        "\u{1B}_Ga=p,i=\(stamp.graphics.number),p=\(placement(stamp)),C=1,q=2\u{1B}\\"
    }

    /// Gives a graphics to a terminal, which keeps it under its number.
    static func transmission(_ graphics: Graphics) -> String {
        let last = graphics.parts.count - 1
        return graphics.parts.enumerated().map { index, part in
            let (width, height) = (graphics.width, graphics.height)
            let head = index == 0 ? "a=t,i=\(graphics.number),f=32,s=\(width),v=\(height),q=2," : ""
            return "\u{1B}_G\(head)m=\(index == last ? 0 : 1);\(String(decoding: part, as: UTF8.self))\u{1B}\\"
        }.joined()
    }

    /// Takes a placement away.
    static func remove(_ stamp: Screen.Stamp) -> String {
        "\u{1B}_Ga=d,d=i,i=\(stamp.graphics.number),p=\(placement(stamp)),q=2\u{1B}\\"
    }

    /// Has the terminal forget a graphics that it keeps.
    static func forget(_ number: UInt32) -> String { "\u{1B}_Ga=d,d=I,i=\(number),q=2\u{1B}\\" }

    private static func placement(_ stamp: Screen.Stamp) -> Int { stamp.row * columnsMax + stamp.column + 1 }
}

/// A text of base64 with the padding that belongs to it, which not every program writes; pure.
struct PaddedBase64 {
    static let padding = UInt8(ascii: "=")

    let text: [UInt8]
    /// How many bytes it stands for.
    let byteCount: Int

    /// Nil for what has other signs, or a digit that stands for no whole byte.
    init?(_ text: ArraySlice<UInt8>) {
        let paddingCount = text.suffix(2).count { $0 == Self.padding }
        let digits = text.dropLast(paddingCount)
        guard digits.count % 4 != 1, digits.allSatisfy(Self.isDigit) else { return nil }
        byteCount = digits.count * 3 / 4
        self.text = digits + [UInt8](repeating: Self.padding, count: (4 - digits.count % 4) % 4)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }
}
