/// Computes the bytes that change a terminal from one screen to the next.
package struct Painter {
    /// Writing up to this many unchanged cells needs fewer bytes than moving the cursor.
    private static let gapMax = 4
    private static let togetherBytesMin = 512
    /// The maximum number of graphics in the terminal's memory.
    static let transmittedMax = 512

    private let capabilities: Capabilities
    private var shown: Screen?
    private var isCursorShown = true
    /// Nil if the position of the cursor is unknown.
    private var position: Screen.Position?
    private var look: Look?
    private var text = ""
    /// The numbers of the graphics in the terminal's memory, the latest last.
    private var transmitted: [UInt32] = []

    package init(_ capabilities: Capabilities) {
        self.capabilities = capabilities
    }

    /// Must be called after another program has written to the terminal.
    package mutating func forget() {
        shown = nil
        isCursorShown = true
        position = nil
        look = nil
    }

    package mutating func bytes(for next: Screen) -> [UInt8] {
        text = ""
        var base: Screen
        if let shown, shown.columns == next.columns, shown.rows == next.rows {
            base = shown
            // Some terminals do not move graphics when they scroll.
            if base.cells != next.cells, base.stamps.isEmpty, next.stamps.isEmpty { scroll(&base, to: next) }
        } else {
            base = Screen(columns: next.columns, rows: next.rows)
            forgetGraphics()
            text += "\u{1B}[m\u{1B}[2J"
            look = .plain
            position = nil
        }
        for stamp in base.stamps where !next.stamps.contains(stamp) { text += GraphicsSequence.remove(stamp) }
        for row in 0..<next.rows where base.row(row).elementsEqual(next.row(row)) == false { paint(row, base, next) }
        for stamp in next.stamps where !base.stamps.contains(stamp) { draw(stamp) }
        let hasPainted = !text.isEmpty
        let mustHide = hasPainted && isCursorShown
        showCursor(next.cursor, isHidden: mustHide || !isCursorShown)
        shown = next
        guard !text.isEmpty else { return [] }
        let whole = (mustHide ? "\u{1B}[?25l" : "") + text
        let isLarge = whole.utf8.count >= Self.togetherBytesMin
        return Array((isLarge ? "\u{1B}[?2026h\(whole)\u{1B}[?2026l" : whole).utf8)
    }

    private mutating func showCursor(_ cursor: Screen.Position?, isHidden: Bool) {
        if let cursor {
            move(to: cursor)
            if isHidden { text += "\u{1B}[?25h" }
        } else if isCursorShown, text.isEmpty {
            text += "\u{1B}[?25l"
        }
        isCursorShown = cursor != nil
    }

    private mutating func draw(_ stamp: Screen.Stamp) {
        let number = stamp.graphics.number
        if !transmitted.contains(number) {
            text += GraphicsSequence.transmission(stamp.graphics)
            transmitted.append(number)
            if transmitted.count > Self.transmittedMax { text += GraphicsSequence.forget(transmitted.removeFirst()) }
        }
        move(to: Screen.Position(row: stamp.row, column: stamp.column))
        text += GraphicsSequence.draw(stamp)
        position = nil
    }

    /// Returns bytes that delete all graphics from the terminal's memory; used before another program runs.
    package mutating func release() -> [UInt8] {
        text = ""
        forgetGraphics()
        return Array(text.utf8)
    }

    private mutating func forgetGraphics() {
        for number in transmitted { text += GraphicsSequence.forget(number) }
        transmitted = []
    }

    private mutating func scroll(_ base: inout Screen, to next: Screen) {
        guard let move = ScrollMove(from: base, to: next) else { return }
        setLook(.plain)
        let direction = move.count > 0 ? "S" : "T"
        text += "\u{1B}[\(move.rows.lowerBound + 1);\(move.rows.upperBound)r"
        text += "\u{1B}[\(abs(move.count))\(direction)\u{1B}[r"
        position = nil
        base.scroll(move.rows, by: move.count)
    }

    private mutating func paint(_ row: Int, _ base: Screen, _ next: Screen) {
        let filled = Self.filledColumns(next, row)
        var column = 0
        while let start = Self.firstChange(row, from: column, base, next), start < filled {
            column = write(row, from: start, until: filled, base, next)
        }
        if let start = Self.firstChange(row, from: max(column, filled), base, next) {
            move(to: Screen.Position(row: row, column: start))
            setLook(.plain)
            text += "\u{1B}[K"
        }
    }

    private mutating func write(_ row: Int, from start: Int, until end: Int, _ base: Screen, _ next: Screen) -> Int {
        move(to: Screen.Position(row: row, column: start))
        var column = start
        while column < end {
            if next[row, column] == base[row, column] {
                let change = Self.firstChange(row, from: column, base, next) ?? end
                let isCovered = next.row(row)[(row * next.columns + column)..<(row * next.columns + min(change, end))]
                    .contains { $0.look.cover != 0 }
                if isCovered || change - column > Self.gapMax || change >= end { return change }
            }
            let width = column + 1 < next.columns && next[row, column + 1].text.isEmpty ? 2 : 1
            put(next[row, column], width: width)
            column += width
        }
        return column
    }

    private mutating func put(_ cell: Screen.Cell, width: Int) {
        setLook(cell.look)
        text += capabilities.isUTF8 ? cell.text : ASCIIText.text(of: cell.text, columns: width)
        position?.column += width
        // Terminals differ in the width of emoji and combined characters, so the position of the cursor is then unknown.
        let scalars = cell.text.unicodeScalars
        let isCertain = scalars.count == 1 && (scalars.first.map { $0.value < 0x1F000 } ?? false)
        if !isCertain { position = nil }
    }

    private mutating func setLook(_ wanted: Look) {
        guard look != wanted else { return }
        text += wanted.sequence(after: look, hasColours: capabilities.hasColours)
        look = wanted
    }

    private mutating func move(to wanted: Screen.Position) {
        if position == wanted { return }
        let (row, column) = (wanted.row + 1, wanted.column + 1)
        if let position, position.row == wanted.row, position.column < wanted.column {
            let distance = wanted.column - position.column
            text += distance == 1 ? "\u{1B}[C" : "\u{1B}[\(distance)C"
        } else if let position, position.row + 1 == wanted.row, wanted.column == 0 {
            text += "\r\n"
        } else {
            text += column > 1 ? "\u{1B}[\(row);\(column)H" : row > 1 ? "\u{1B}[\(row)H" : "\u{1B}[H"
        }
        position = wanted
    }

    private static func filledColumns(_ screen: Screen, _ row: Int) -> Int {
        let cells = screen.row(row)
        return (cells.lastIndex { $0 != .blank }).map { $0 - cells.startIndex + 1 } ?? 0
    }

    /// For the second half of a wide grapheme, returns the column of its first half.
    private static func firstChange(_ row: Int, from column: Int, _ base: Screen, _ next: Screen) -> Int? {
        guard column < next.columns else { return nil }
        guard let change = (column..<next.columns).first(where: { base[row, $0] != next[row, $0] }) else { return nil }
        return next[row, change].text.isEmpty && change > column ? change - 1 : change
    }
}

/// A scroll operation that saves painting some rows again.
struct ScrollMove: Equatable {
    private static let gainMin = 3
    private static let distanceMax = 12

    let rows: Range<Int>
    /// Rows move up by `count`, or down if `count` is negative.
    let count: Int

    /// Fails if no scroll operation saves at least `gainMin` rows.
    init?(from base: Screen, to next: Screen) {
        let (before, after) = (Self.hashes(base), Self.hashes(next))
        let blank = Self.hashes(Screen(columns: base.columns, rows: 1))[0]
        var best: (gain: Int, rows: Range<Int>, count: Int)?
        for distance in 1...Self.distanceMax where distance < base.rows {
            for count in [distance, -distance] {
                let sources = (0..<base.rows).map { row in
                    (0..<base.rows).contains(row + count) && after[row] == before[row + count] && after[row] != blank
                }
                guard let first = sources.firstIndex(of: true), let last = sources.lastIndex(of: true) else { continue }
                let rows = min(first, first + count)..<max(last, last + count) + 1
                let gain = rows.reduce(0) { gain, row in
                    gain + (sources[row] ? 1 : 0) - (before[row] == after[row] && after[row] != blank ? 1 : 0)
                }
                if gain > best?.gain ?? 0 { best = (gain, rows, count) }
            }
        }
        guard let best, best.gain >= Self.gainMin else { return nil }
        (rows, count) = (best.rows, best.count)
    }

    private static func hashes(_ screen: Screen) -> [Int] {
        (0..<screen.rows).map { row in
            var hasher = Hasher()
            for cell in screen.row(row) {
                hasher.combine(cell.text)
                hasher.combine(cell.look)
            }
            return hasher.finalize()
        }
    }
}
