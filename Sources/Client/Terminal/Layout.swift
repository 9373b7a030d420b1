import Hangul

/// Wraps texts and tables to a width.
///
/// Breaks lines only at blanks, so that the user can copy addresses.
package struct Layout {
    private static let gap = "  "
    private static let textColumnsMin = 20
    private static let belowIndent = 4

    let columns: Int

    package init(columns: Int) {
        self.columns = columns
    }

    package func lines(_ text: String, behind head: String = "", indent: Int? = nil) -> [String] {
        let margin = Self.blanks(indent ?? Self.width(head))
        var lines: [String] = []
        var line = head
        var width = Self.width(head)
        var isEmpty = true
        for word in Self.words(of: text, columnsMax: columns - Self.width(margin)) {
            let wordWidth = Self.width(word)
            if !isEmpty, width + 1 + wordWidth > columns {
                lines.append(line)
                line = margin
                width = Self.width(margin)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            width += (isEmpty ? 0 : 1) + wordWidth
            isEmpty = false
        }
        return lines + [isEmpty ? Self.trimmed(line) : line]
    }

    private static func words(of text: String, columnsMax: Int) -> [String] {
        var words: [String] = []
        var quoted: [String] = []
        func end() {
            let whole = quoted.joined(separator: " ")
            words += width(whole) <= columnsMax ? [whole] : quoted
            quoted = []
        }
        for scalars in text.unicodeScalars.split(separator: " ") {
            if quoted.isEmpty, scalars.contains("“"), !scalars.contains("”") {
                quoted = [String(scalars)]
            } else if quoted.isEmpty {
                words.append(String(scalars))
            } else {
                quoted.append(String(scalars))
                if scalars.contains("”") { end() }
            }
        }
        if !quoted.isEmpty { end() }
        return words
    }

    package func fitted(_ line: String) -> [String] {
        Self.width(line) <= columns ? [line] : lines(line, indent: Self.gap.count)
    }

    package func table(_ rows: [(name: String, text: String)], indent: Int = 0, nameMax: Int = .max) -> [String] {
        let left = Self.blanks(indent)
        let widest = min(nameMax, rows.map { Self.width($0.name) }.max() ?? 0)
        let margin = indent + widest + Self.gap.count
        let isNarrow = columns - margin < Self.textColumnsMin
        let below = Self.blanks(isNarrow ? indent + Self.belowIndent : margin)
        return rows.flatMap { row -> [String] in
            if !isNarrow, Self.width(row.name) <= widest {
                return lines(row.text, behind: left + Self.padded(row.name, widest) + Self.gap)
            }
            let name = row.name.isEmpty ? [] : [left + row.name]
            return name + (row.text.isEmpty ? [] : lines(row.text, behind: below))
        }
    }

    static func row(_ cells: [String], widths: [Int]) -> [String] {
        let columns = zip(cells, widths).map { cell, width in Layout(columns: width).lines(cell) }
        return (0..<(columns.map(\.count).max() ?? 0)).map { index in
            let line = zip(columns, widths).map { lines, width in
                padded(lines.indices.contains(index) ? lines[index] : "", width)
            }
            return trimmed(line.joined(separator: gap))
        }
    }

    func widths(of rows: [[String]]) -> [Int] {
        guard let count = rows.first?.count, count > 0 else { return [] }
        let wanted = (0..<count).map { column in rows.map { Self.width($0[column]) }.max() ?? 0 }
        var widths = wanted
        var left = columns - Self.gap.count * (count - 1)
        let order = wanted.indices.sorted { wanted[$0] < wanted[$1] }
        for (place, column) in order.enumerated() {
            widths[column] = min(wanted[column], max(1, left / (count - place)))
            left -= widths[column]
        }
        return widths
    }

    static func width(_ text: String) -> Int {
        guard text.utf8.contains(0x1B) else { return DisplayWidth.columns(of: text) }
        var shown = String.UnicodeScalarView()
        var isEscape = false
        for scalar in text.unicodeScalars {
            if isEscape {
                isEscape = scalar != "m"
            } else if scalar == "\u{1B}" {
                isEscape = true
            } else {
                shown.append(scalar)
            }
        }
        return DisplayWidth.columns(of: String(shown))
    }

    private static func padded(_ text: String, _ columns: Int) -> String {
        text + blanks(columns - width(text))
    }

    private static func blanks(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }

    private static func trimmed(_ line: String) -> String {
        String(line.unicodeScalars.dropLast(line.utf8.reversed().prefix { $0 == 0x20 }.count))
    }
}
