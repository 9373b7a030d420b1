/// A checked picture for a terminal, without control sequences.
package struct Picture: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case cells([Screen.Cell])
        case graphics(Graphics)
    }

    package let columns: Int
    package let rows: Int
    let content: Content

    package var byteCount: Int {
        switch content {
        case .cells(let cells): cells.count * MemoryLayout<Screen.Cell>.stride
        case .graphics(let graphics): graphics.parts.reduce(0) { $0 + $1.count }
        }
    }
}

/// A picture in kitty's protocol.
///
/// Pictures on one screen must have different numbers.
struct Graphics: Equatable, Sendable {
    /// Must not be 0.
    let number: UInt32
    let width: Int
    let height: Int
    /// Each part is valid base64 of RGBA pixels.
    let parts: [[UInt8]]

    static func == (first: Graphics, second: Graphics) -> Bool { first.number == second.number }
}

/// The space for a picture, in cells.
package struct PictureBox: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
    }
}

/// The size of a terminal's cell in pixels.
package struct CellSize: Hashable, Sendable {
    package static let usual = CellSize(width: 10, height: 20)

    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }
}

package enum PictureSize {
    /// The side, in pixels, of the squares in which the drawing program measures kitty's pictures.
    static let unit = 8
    /// In pixels.
    static let widthMax = 640
    static let heightMax = 480

    package static func units(_ kind: GraphicsKind, _ box: PictureBox, _ cell: CellSize) -> (columns: Int, rows: Int) {
        guard kind != .symbols else { return (box.columns, box.rows) }
        let width = min(box.columns * cell.width, widthMax)
        let height = min(box.rows * cell.height, heightMax)
        return (max(1, width / unit), max(1, height / unit))
    }
}

enum GraphicsSequence {
    /// More columns than any screen has.
    ///
    /// The number of a placement, row · `columnsMax` + column + 1, is thus unique.
    private static let columnsMax = 1 << 12

    static func draw(_ stamp: Screen.Stamp) -> String {
        "\u{1B}_Ga=p,i=\(stamp.graphics.number),p=\(placement(stamp)),C=1,q=2\u{1B}\\"
    }

    static func transmission(_ graphics: Graphics) -> String {
        let last = graphics.parts.count - 1
        return graphics.parts.enumerated().map { index, part in
            let (width, height) = (graphics.width, graphics.height)
            let head = index == 0 ? "a=t,i=\(graphics.number),f=32,s=\(width),v=\(height),q=2," : ""
            return "\u{1B}_G\(head)m=\(index == last ? 0 : 1);\(String(decoding: part, as: UTF8.self))\u{1B}\\"
        }.joined()
    }

    static func remove(_ stamp: Screen.Stamp) -> String {
        "\u{1B}_Ga=d,d=i,i=\(stamp.graphics.number),p=\(placement(stamp)),q=2\u{1B}\\"
    }

    static func forget(_ number: UInt32) -> String { "\u{1B}_Ga=d,d=I,i=\(number),q=2\u{1B}\\" }

    private static func placement(_ stamp: Screen.Stamp) -> Int { stamp.row * columnsMax + stamp.column + 1 }
}

/// Checked base64 text; missing padding is added.
struct PaddedBase64 {
    static let padding = UInt8(ascii: "=")

    let text: [UInt8]
    let byteCount: Int

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
