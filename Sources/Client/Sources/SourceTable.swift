/// The sources in a table that fits a screen: one account on a line, or each source on its own; pure.
struct SourceTable {
    private let entries: [SourceEntry]
    private let layout: Layout
    private let style: Style

    /// - Parameters:
    ///   - entries: The sources to show.
    ///   - columns: The width to fit.
    ///   - style: How words are set off.
    init(_ entries: [SourceEntry], columns: Int, style: Style) {
        self.entries = entries
        layout = Layout(columns: columns)
        self.style = style
    }

    /// A row for the sources of an account that are in the same state.
    var accountLines: [String] {
        var rows: [(cells: [String], entry: SourceEntry)] = []
        var groups: [(account: String, entries: [SourceEntry])] = []
        for entry in entries {
            if let known = groups.firstIndex(where: { $0.account == entry.account }) {
                groups[known].entries.append(entry)
            } else {
                groups.append((entry.account, [entry]))
            }
        }
        for group in groups {
            var states: [(text: String, entries: [SourceEntry])] = []
            for entry in group.entries {
                if let known = states.firstIndex(where: { $0.text == entry.state }) {
                    states[known].entries.append(entry)
                } else {
                    states.append((entry.state, [entry]))
                }
            }
            for (index, state) in states.enumerated() {
                let names = state.entries.map(\.nameInAccount).joined(separator: ", ")
                rows.append(([index == 0 ? group.account : "", names, state.text], state.entries[0]))
            }
        }
        return table(["ACCOUNT", "SOURCES", "STATE"], rows)
    }

    /// A row for each source.
    var sourceLines: [String] {
        table(
            ["SOURCE", "KIND", "LIMITS", "STATE"],
            entries.map { ([$0.name, $0.kind, $0.limits, $0.state], $0) }
        )
    }

    private func table(_ titles: [String], _ rows: [(cells: [String], entry: SourceEntry)]) -> [String] {
        let widths = layout.widths(of: [titles] + rows.map(\.cells))
        return Layout.row(titles, widths: widths).map(style.dim)
            + rows.flatMap { cells, entry in
                let lines = Layout.row(cells, widths: widths)
                return entry.isFailing ? lines.map(style.bold) : entry.isEnabled ? lines : lines.map(style.dim)
            }
    }
}
