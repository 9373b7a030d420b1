/// Checks that the untrusted output of the drawing program is exactly one picture that fits the given space.
package struct PictureReader {
    private static let partBytesMax = 4096

    private let kind: GraphicsKind
    private let box: PictureBox
    private let cell: CellSize
    private let number: UInt32

    package init(_ kind: GraphicsKind, _ box: PictureBox, _ cell: CellSize, number: UInt32) {
        (self.kind, self.box, self.cell, self.number) = (kind, box, cell, number)
    }

    package func picture(_ bytes: [UInt8]) -> Picture? {
        let drawn: Picture? =
            switch kind {
            case .symbols: SymbolReader.picture(bytes)
            case .kitty: kitty(bytes)
            }
        guard let drawn, 1...box.columns ~= drawn.columns, 1...box.rows ~= drawn.rows else { return nil }
        return drawn
    }

    /// Parses `ESC _ G a=T,f=32,s=WIDTH,v=HEIGHT,c=COLUMNS,r=ROWS,m=1 ESC \`, followed by parts of the form
    /// `ESC _ G m=1;BASE64 ESC \`.
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
        guard width > 0, height > 0, byteCount == width * height * 4 else { return nil }
        return Picture(
            columns: (width + cell.width - 1) / cell.width,
            rows: (height + cell.height - 1) / cell.height,
            content: .graphics(Graphics(number: number, width: width, height: height, parts: parts))
        )
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func skip(_ text: String) -> Bool {
        guard starts(with: text.utf8) else { return false }
        self = dropFirst(text.utf8.count)
        return true
    }

    fileprivate mutating func number() -> Int? {
        let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard 1...5 ~= digits.count else { return nil }
        self = dropFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self))
    }
}

/// Reads a picture that consists of coloured block characters.
enum SymbolReader {
    /// The Unicode block elements.
    private static let signs: ClosedRange<UInt32> = 0x2580...0x259F

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

    private static func codes(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let codes = parts.compactMap { UInt8(String(decoding: $0, as: UTF8.self)) }
        return codes.count == parts.count && codes.count <= 10 ? codes : nil
    }

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
