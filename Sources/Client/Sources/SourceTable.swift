import JSON

/// Every source on a line, as a table; where that is too wide, quotas and attribution go below; pure.
struct SourceTable {
    private static let gap = "  "
    private static let titles = ["SOURCE", "KIND", "STATE", "LIMITS", "QUOTA", "ATTRIBUTION"]
    /// What stays on the first line when not everything fits.
    private static let narrowCount = 4

    private let entries: [SourceEntry]
    private let columnsMax: Int?
    private let style: Style

    /// - Parameters:
    ///   - sources: The entries of `source/list`.
    ///   - columns: The width of the terminal; nil for no limit.
    ///   - style: How words are set off.
    init(_ sources: [JSONCursor], columns: Int?, style: Style) {
        entries = sources.map(SourceEntry.init)
        columnsMax = columns
        self.style = style
    }

    var lines: [String] {
        let rows = entries.map(Self.cells)
        let widths = Self.titles.indices.map { column in
            rows.map { DisplayWidth.columns(of: $0[column]) }.max().map { max($0, Self.titles[column].count) } ?? 0
        }
        let width = widths.reduce(0, +) + Self.gap.count * (widths.count - 1)
        let isNarrow = columnsMax.map { width > $0 } ?? false
        let shown = isNarrow ? Self.narrowCount : widths.count
        let head = style.dim(Self.line(Self.titles.prefix(shown), widths))
        return [head]
            + zip(entries, rows).flatMap { entry, row -> [String] in
                let line = Self.line(row.prefix(shown), widths)
                let below = isNarrow ? row.dropFirst(shown).filter { !$0.isEmpty }.joined(separator: " · ") : ""
                let first = entry.isFailing ? style.bold(line) : entry.isEnabled ? line : style.dim(line)
                return below.isEmpty ? [first] : [first] + folded(below)
            }
    }

    private static func cells(_ entry: SourceEntry) -> [String] {
        [entry.name, entry.kind, entry.state, entry.limits, entry.quotas.joined(separator: ", "), entry.attribution]
    }

    private static func line(_ cells: some Sequence<String>, _ widths: [Int]) -> String {
        var line = ""
        for (cell, width) in zip(cells, widths) {
            line += DisplayWidth.padded(cell, width) + gap
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    private func folded(_ text: String) -> [String] {
        let margin = "    "
        let columns = (columnsMax ?? Console.columnsDefault) - margin.count
        return LineWrap.lines(Cell.cells(text), columns: columns, linesMax: 5).map { cells in
            margin + style.dim(cells.map(\.text).joined())
        }
    }
}
