import Hangul

/// Lays text out for a width; pure.
///
/// Lines break at blanks only: a path, an address or a command stays whole, so that it can be copied, even where it is
/// wider than the line.
package struct Layout {
    private static let gap = "  "
    /// A text with less room than this goes below what stands before it.
    private static let textColumnsMin = 20
    private static let belowIndent = 4

    let columns: Int

    package init(columns: Int) {
        self.columns = columns
    }

    /// A text in lines, the first one behind `head`, the others indented.
    ///
    /// - Parameters:
    ///   - text: Safe on a terminal; runs of blanks become one.
    ///   - head: What the first line begins with.
    ///   - indent: The blanks before the other lines; nil for as many as `head` has columns.
    /// - Returns: At least one line.
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

    /// The words of a text; what stands between “ and ” is one, so that a command can be copied, where it fits a line.
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

    /// A line as it is where it fits, else in several.
    package func fitted(_ line: String) -> [String] {
        Self.width(line) <= columns ? [line] : lines(line, indent: Self.gap.count)
    }

    /// Names and what belongs to them in two columns, the texts wrapped in theirs.
    package func table(_ rows: [(name: String, text: String)], indent: Int = 0) -> [String] {
        let left = Self.blanks(indent)
        let widest = rows.map { Self.width($0.name) }.max() ?? 0
        let room = columns - indent - Self.gap.count - widest
        return rows.flatMap { row -> [String] in
            guard room < Self.textColumnsMin else {
                return lines(row.text, behind: left + Self.padded(row.name, widest) + Self.gap)
            }
            let below = Self.blanks(indent + Self.belowIndent)
            return [left + row.name] + (row.text.isEmpty ? [] : lines(row.text, behind: below))
        }
    }

    /// Names and what they mean; a name of more than `left` characters stands on a line of its own, above its text.
    func entries(_ rows: [(name: String, text: String)], left: Int) -> [String] {
        rows.flatMap { row -> [String] in
            guard row.name.count > left else {
                return lines(row.text, behind: "  \(DisplayWidth.padded(row.name, left))  ")
            }
            return ["  \(row.name)"] + lines(row.text, behind: Self.blanks(left + 4))
        }
    }

    /// Cells beside each other, each wrapped to the width of its column.
    static func row(_ cells: [String], widths: [Int]) -> [String] {
        let columns = zip(cells, widths).map { cell, width in Layout(columns: width).lines(cell) }
        return (0..<(columns.map(\.count).max() ?? 0)).map { index in
            let line = zip(columns, widths).map { lines, width in
                padded(lines.indices.contains(index) ? lines[index] : "", width)
            }
            return trimmed(line.joined(separator: gap))
        }
    }

    /// The widths of columns that are as wide as their widest cell, but that together fill no more than the line.
    ///
    /// Those that take most of the room share what is left to them equally.
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

    /// The columns that a text takes; our own escape sequences take none.
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
