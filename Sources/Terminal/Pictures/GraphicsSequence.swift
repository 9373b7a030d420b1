/// What makes a terminal show a graphics, move it and take it away; pure.
enum GraphicsSequence {
    /// Placements of kitty's protocol are numbered by where they stand.
    private static let columnsMax = 1 << 12

    /// Draws it at the cursor, which may be anywhere then.
    static func draw(_ stamp: Screen.Stamp) -> String {
        let graphics = stamp.graphics
        switch graphics.form {
        case .sixel: return "\u{1B}P0;1;0q\(data(graphics))\u{1B}\\"
        case .iTerm(let width, let height):
            return "\u{1B}]1337;File=inline=1;width=\(width)px;height=\(height)px:\(data(graphics))\u{7}"
        case .kitty: return "\u{1B}_Ga=p,i=\(graphics.number),p=\(placement(stamp)),C=1,q=2\u{1B}\\"
        }
    }

    /// Gives a graphics to a terminal that keeps it under its number; empty for what is given with each drawing.
    static func transmission(_ graphics: Graphics) -> String {
        guard case .kitty(let width, let height) = graphics.form else { return "" }
        let last = graphics.parts.count - 1
        return graphics.parts.enumerated().map { index, part in
            let head = index == 0 ? "a=t,i=\(graphics.number),f=32,s=\(width),v=\(height),q=2," : ""
            return "\u{1B}_G\(head)m=\(index == last ? 0 : 1);\(String(decoding: part, as: UTF8.self))\u{1B}\\"
        }.joined()
    }

    /// Takes a placement away; empty where writing over it does.
    static func remove(_ stamp: Screen.Stamp) -> String {
        guard case .kitty = stamp.graphics.form else { return "" }
        return "\u{1B}_Ga=d,d=i,i=\(stamp.graphics.number),p=\(placement(stamp)),q=2\u{1B}\\"
    }

    /// Has the terminal forget a graphics that it keeps.
    static func forget(_ number: UInt32) -> String { "\u{1B}_Ga=d,d=I,i=\(number),q=2\u{1B}\\" }

    private static func placement(_ stamp: Screen.Stamp) -> Int { stamp.row * columnsMax + stamp.column + 1 }

    private static func data(_ graphics: Graphics) -> String {
        graphics.parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    }
}
