import JSON

/// Breaks a text into lines at blanks, next to ideographs, and inside words that are wider than a line.
package struct LineWrap {
    /// The minimum width of a line.
    ///
    /// A narrower terminal wraps the lines itself.
    package static let columnsMin = 16

    private let columns: Int
    private var lines: [[Cell]] = []
    private var line: [Cell] = []
    private var lineColumns = 0
    private var breakIndex: Int?

    package static func lines(_ cells: [Cell], columns: Int, linesMax: Int) -> [[Cell]] {
        var wrap = LineWrap(columns: max(columns, columnsMin))
        for cell in cells {
            wrap.append(cell)
            if wrap.lines.count > linesMax { break }
        }
        wrap.endLine(at: wrap.line.count)
        guard wrap.lines.count > linesMax else { return wrap.lines }
        var kept = Array(wrap.lines.prefix(linesMax))
        // A cell wider than a line makes `cut` end the line with an ellipsis.
        let rest = Cell(text: "", columns: wrap.columns + 1, isMarked: false)
        if let last = kept.indices.last { kept[last] = cut(kept[last] + [rest], columns: wrap.columns) }
        return kept
    }

    package static func cut(_ cells: [Cell], columns: Int) -> [Cell] {
        var kept: [Cell] = []
        var width = 0
        for cell in cells {
            if width + cell.columns > columns {
                while let last = kept.last, width + 1 > columns || last.isBlank {
                    width -= last.columns
                    kept.removeLast()
                }
                return columns > 0 ? kept + [Cell(text: "…", columns: 1, isMarked: false)] : []
            }
            kept.append(cell)
            width += cell.columns
        }
        return kept
    }

    private mutating func append(_ cell: Cell) {
        if let last = line.last {
            let mayBreak = last.isBlank || ((last.isIdeographic || cell.isIdeographic) && !cell.isClosing)
            if mayBreak { breakIndex = line.count }
        } else if cell.isBlank {
            return
        }
        while !line.isEmpty, lineColumns + cell.columns > columns {
            if cell.isBlank {
                endLine(at: line.count)
                return
            }
            endLine(at: breakIndex ?? line.count)
        }
        line.append(cell)
        lineColumns += cell.columns
    }

    private mutating func endLine(at index: Int) {
        var ended = line[..<index]
        while ended.last?.isBlank == true { ended.removeLast() }
        if !ended.isEmpty { lines.append(Array(ended)) }
        line = Array(line[index...])
        lineColumns = line.reduce(0) { $0 + $1.columns }
        breakIndex = nil
    }
}

extension String {
    /// Escapes control characters.
    ///
    /// If the text is too wide, cuts it and adds an ellipsis.
    package func cut(columns: Int) -> String { LineWrap.cut(Cell.cells(self), columns: columns).map(\.text).joined() }
}

enum MarkdownText {
    static func escaped(_ text: String) -> String {
        text.replacingScalars { "\\`*_[]<>#|~&".unicodeScalars.contains($0) ? "\\\($0)" : nil }
    }

    /// Escapes like `escaped`, and also a start such as `1.` or `-`, which Markdown would read as a list.
    static func lineEscaped(_ text: String) -> String {
        let escaped = escaped(text)
        let digits = escaped.utf8.prefix { (0x30...0x39).contains($0) }
        let rest = escaped.utf8.dropFirst(digits.count)
        let isRule = escaped.utf8.allSatisfy { $0 == UInt8(ascii: "=") }
        let signs = digits.isEmpty ? "-+" : ".)"
        guard let sign = rest.first, signs.utf8.contains(sign) || isRule else { return escaped }
        return "\(Substring(digits))\\\(Substring(rest))"
    }

    static func link(_ title: String, to target: String?) -> String {
        guard let target = target.flatMap(Style.linkTarget) else { return title }
        return "[\(title)](\(PercentEncoding.encode(target) { !"<>\\()".utf8.contains($0) }))"
    }
}
