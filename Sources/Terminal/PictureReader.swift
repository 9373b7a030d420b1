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

/// Reads a picture of coloured characters: lines of block characters and blanks, and the sequences that colour them;
/// pure.
enum SymbolReader {
    /// Block elements.
    private static let signs: ClosedRange<UInt32> = 0x2580...0x259F

    /// Nil for anything else, and for lines that are not equally long.
    static func picture(_ bytes: [UInt8]) -> Picture? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        var cells: [Screen.Cell] = []
        var columns: Int?
        for line in lines {
            guard let row = row(line) else { return nil }
            if let columns, columns != row.count { return nil }
            columns = row.count
            cells += row
        }
        guard let columns, columns > 0 else { return nil }
        return Picture(columns: columns, rows: lines.count, content: .cells(cells))
    }

    private static func row(_ line: [UInt8]) -> [Screen.Cell]? {
        var cells: [Screen.Cell] = []
        var look = Look.plain
        var rest = line[...]
        while let first = rest.first {
            if first == 0x1B {
                guard rest.dropFirst().first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "m")),
                    let codes = codes(rest[(rest.startIndex + 2)..<end]), apply(codes, to: &look)
                else { return nil }
                rest = rest[(end + 1)...]
            } else if first == UInt8(ascii: " ") {
                cells.append(Screen.Cell(text: " ", look: look))
                rest = rest.dropFirst()
            } else {
                let scalar = String(decoding: rest.prefix(3), as: UTF8.self).unicodeScalars
                guard let sign = scalar.first, scalar.count == 1, signs.contains(sign.value) else { return nil }
                cells.append(Screen.Cell(text: String(sign), look: look))
                rest = rest.dropFirst(3)
            }
        }
        return cells
    }

    /// At most ten numbers of a byte.
    private static func codes(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let codes = parts.compactMap { UInt8(String(decoding: $0, as: UTF8.self)) }
        return codes.count == parts.count && codes.count <= 10 ? codes : nil
    }

    /// Colours, their absence, and reversal; false for any other.
    private static func apply(_ codes: [UInt8], to look: inout Look) -> Bool {
        var rest = codes[...]
        while let code = rest.popFirst() {
            switch code {
            case 0: look = .plain
            case 7: look.isReversed = true
            case 30...37: look.front = .palette(code - 30)
            case 40...47: look.back = .palette(code - 40)
            case 90...97: look.front = .palette(code - 90 + 8)
            case 100...107: look.back = .palette(code - 100 + 8)
            case 38, 48:
                guard let colour = colour(&rest) else { return false }
                if code == 38 { look.front = colour } else { look.back = colour }
            default: return false
            }
        }
        return true
    }

    private static func colour(_ codes: inout ArraySlice<UInt8>) -> Look.Colour? {
        switch codes.popFirst() {
        case 5: return codes.popFirst().map { .palette($0) }
        case 2:
            guard codes.count >= 3, let red = codes.popFirst(), let green = codes.popFirst(),
                let blue = codes.popFirst()
            else { return nil }
            return .exact(red: red, green: green, blue: blue)
        default: return nil
        }
    }
}

/// How many dots the data of a sixel graphics takes; pure.
enum SixelExtent {
    /// Dots of one sign.
    private static let bandHeight = 6

    /// Whether it is nothing but sixels, within so many dots.
    static func fits(_ data: ArraySlice<UInt8>, width: Int, height: Int) -> Bool {
        let bandsMax = (height + bandHeight - 1) / bandHeight
        var (bands, column) = (1, 0)
        var rest = data
        while let byte = rest.popFirst() {
            switch byte {
            case 0x3F...0x7E: column += 1
            case UInt8(ascii: "!"):
                guard let count = number(&rest), let dots = rest.popFirst(), (0x3F...0x7E).contains(dots) else {
                    return false
                }
                column += count
            case UInt8(ascii: "#"):
                guard isColour(&rest) else { return false }
            case UInt8(ascii: "$"): column = 0
            case UInt8(ascii: "-"):
                column = 0
                // The last band may have its end.
                if !rest.isEmpty { bands += 1 }
            default: return false
            }
            guard column <= width, bands <= bandsMax else { return false }
        }
        return true
    }

    /// The number of a colour, or five with its parts.
    private static func isColour(_ data: inout ArraySlice<UInt8>) -> Bool {
        var count = 0
        repeat {
            guard number(&data) != nil else { return false }
            count += 1
        } while count < 5 && data.popFirst(UInt8(ascii: ";"))
        return count == 1 || count == 5
    }

    private static func number(_ data: inout ArraySlice<UInt8>) -> Int? {
        let digits = data.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard 1...5 ~= digits.count else { return nil }
        data = data.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

extension ArraySlice<UInt8> {
    /// Takes a byte away; false when another one stands there.
    fileprivate mutating func popFirst(_ byte: UInt8) -> Bool {
        guard first == byte else { return false }
        removeFirst()
        return true
    }
}
