import Hangul
import Terminal

/// The help of `live`, from the tables of its keys; pure.
enum LiveHelp {
    private static let columnColumns = 38
    private static let gap = 2

    /// The keys with what they do, in as many columns as fit.
    static func lines(columns: Int) -> [String] {
        let count = max(1, (columns + gap) / (columnColumns + gap))
        let width = max(1, (columns + gap) / count - gap)
        let sections = [
            ("In the list and the details", LiveKeys.list.map { ($0.label, $0.help) }),
            (
                "In the search field",
                LiveKeys.field.map { ($0.label, $0.help) } + EditingKeys.table.map { ($0.label, $0.help) }
            ),
            ("Everywhere", LiveKeys.always.map { ($0.label, $0.help) }),
            (
                "With the mouse",
                [("click", "select; once more, its details"), ("wheel", "up and down")]
            ),
            (
                "In a note",
                [
                    ("↑ ↓", "its stars"), ("Alt-Enter", "a new line, shown as ↵"),
                    ("Enter", "keep it; an empty one goes"), ("Esc", "leave it as it was"),
                ]
            ),
            ("The line at the bottom", HitTotals.meanings),
        ]
        let pictures = Layout(columns: columns).lines(PictureTerminal.advice)
        return sections.enumerated().flatMap { index, section in
            (index == 0 ? [] : [""]) + [section.0] + rows(section.1, count, width)
        } + [""] + pictures
    }

    /// `↓ j: next; ↑ k: the one before`.
    static func sentence(_ keys: [LiveKeys.Binding]) -> String {
        keys.map { "\($0.label): \($0.help)" }.joined(separator: "; ")
    }

    private static func rows(_ entries: [(label: String, help: String)], _ count: Int, _ width: Int) -> [String] {
        let labels = entries.map { DisplayWidth.columns(of: $0.label) }.max() ?? 0
        let cells = entries.map { entry in
            let text = "  \(DisplayWidth.padded(entry.label, labels))  \(entry.help)"
            return LineWrap.cut(Cell.cells(text), columns: width).map(\.text).joined()
        }
        let height = (cells.count + count - 1) / count
        return (0..<height).map { row in
            stride(from: row, to: cells.count, by: height).map { DisplayWidth.padded(cells[$0], width + gap) }.joined()
        }
    }
}
