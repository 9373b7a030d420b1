/// Reads what a program has drawn, and takes only what is a picture of its kind and fits the room it was given; pure.
///
/// The program decodes what strangers made: what it writes counts as text from the web does.
package struct PictureReader {
    /// More of kitty's protocol is not taken at once.
    private static let partBytesMax = 4096

    private let kind: GraphicsKind
    private let box: PictureBox
    private let cell: CellSize
    private let number: UInt32

    /// - Parameters:
    ///   - kind: What the program was asked for.
    ///   - box: The room that the picture has.
    ///   - cell: How large a cell of the terminal is.
    ///   - number: Of a graphics, which no other that is shown has.
    package init(_ kind: GraphicsKind, _ box: PictureBox, _ cell: CellSize, number: UInt32) {
        (self.kind, self.box, self.cell, self.number) = (kind, box, cell, number)
    }

    /// Nil for anything that is not exactly one picture.
    package func picture(_ bytes: [UInt8]) -> Picture? {
        let drawn: Picture? =
            switch kind {
            case .symbols: SymbolReader.picture(bytes)
            case .sixel: sixel(bytes)
            case .kitty: kitty(bytes)
            case .iTerm: iTerm(bytes)
            }
        guard let drawn, 1...box.columns ~= drawn.columns, 1...box.rows ~= drawn.rows else { return nil }
        return drawn
    }

    /// The cells that so many dots take.
    private func picture(width: Int, height: Int, _ form: Graphics.Form, _ parts: [[UInt8]]) -> Picture? {
        guard width > 0, height > 0 else { return nil }
        let columns = (width + cell.width - 1) / cell.width
        let rows = (height + cell.height - 1) / cell.height
        let graphics = Graphics(number: number, form: form, parts: parts)
        return Picture(columns: columns, rows: rows, content: .graphics(graphics))
    }

    // MARK: Sixel

    /// `ESC P 0;1;0 q "1;1;WIDTH;HEIGHT DATA ESC \`.
    private func sixel(_ bytes: [UInt8]) -> Picture? {
        var rest = bytes[...]
        guard rest.skip("\u{1B}P0;1;0q"), rest.drop(suffix: "\u{1B}\\") else { return nil }
        let data = rest
        guard rest.skip("\"1;1;"), let width = rest.number(), rest.skip(";"), let height = rest.number() else {
            return nil
        }
        guard SixelExtent.fits(rest, width: width, height: height) else { return nil }
        return picture(width: width, height: height, .sixel, [Array(data)])
    }

    // MARK: kitty

    /// `ESC _ G a=T,f=32,s=WIDTH,v=HEIGHT,c=COLUMNS,r=ROWS,m=1 ESC \`, then `ESC _ G m=1;BASE64 ESC \` for each part,
    /// and `ESC _ G m=0 ESC \`.
    private func kitty(_ bytes: [UInt8]) -> Picture? {
        var rest = bytes[...]
        guard rest.skip("\u{1B}_Ga=T,f=32,s="), let width = rest.number(), rest.skip(",v="),
            let height = rest.number(), rest.skip(",c="), rest.number() != nil, rest.skip(",r="), rest.number() != nil,
            rest.skip(",m=1\u{1B}\\")
        else { return nil }
        var parts: [[UInt8]] = []
        var byteCount = 0
        while rest.skip("\u{1B}_Gm=1;") {
            let part = rest.prefix { PaddedBase64.isDigit($0) || $0 == PaddedBase64.padding }
            rest = rest.dropFirst(part.count)
            guard rest.skip("\u{1B}\\"), part.count <= Self.partBytesMax, let whole = PaddedBase64(part) else {
                return nil
            }
            parts.append(whole.text)
            byteCount += whole.byteCount
        }
        guard rest.skip("\u{1B}_Gm=0\u{1B}\\"), rest.isEmpty || rest.elementsEqual("\n".utf8) else { return nil }
        guard byteCount == width * height * 4 else { return nil }
        return picture(width: width, height: height, .kitty(width: width, height: height), parts)
    }

    // MARK: iTerm

    /// `ESC ] 1337;File=inline=1;width=COLUMNS;height=ROWS;preserveAspectRatio=0:BASE64 BEL`.
    private func iTerm(_ bytes: [UInt8]) -> Picture? {
        var rest = bytes[...]
        guard rest.skip("\u{1B}]1337;File=inline=1;width="), let columns = rest.number(), rest.skip(";height="),
            let rows = rest.number(), rest.skip(";preserveAspectRatio=0:")
        else { return nil }
        _ = rest.drop(suffix: "\n")
        guard rest.drop(suffix: "\u{7}"), let whole = PaddedBase64(rest) else { return nil }
        // Drawn in squares of eight dots.
        let (width, height) = (columns * PictureSize.unit, rows * PictureSize.unit)
        return picture(width: width, height: height, .iTerm(width: width, height: height), [whole.text])
    }
}

extension ArraySlice<UInt8> {
    /// Goes on behind a text; false when something else stands there.
    fileprivate mutating func skip(_ text: String) -> Bool {
        guard starts(with: text.utf8) else { return false }
        self = dropFirst(text.utf8.count)
        return true
    }

    fileprivate mutating func drop(suffix text: String) -> Bool {
        guard suffix(text.utf8.count).elementsEqual(text.utf8) else { return false }
        self = dropLast(text.utf8.count)
        return true
    }

    /// A number of at most five digits.
    fileprivate mutating func number() -> Int? {
        let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard 1...5 ~= digits.count else { return nil }
        self = dropFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
