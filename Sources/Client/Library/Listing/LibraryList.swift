import JSON
import RPC
import SearchModel

/// How the items of a list look; pure.
struct LibraryList {
    private static let noteLinesMax = 3
    private static let notesMax = 3
    private static let noteIndent = "  "

    private let hits: HitText
    private let style: Style

    /// - Parameters:
    ///   - query: Its words are set off.
    ///   - numberMax: The highest number that will be shown.
    ///   - style: How words are set off.
    ///   - context: Where it is shown, and when.
    init(query: String, numberMax: Int, style: Style, _ context: Context) {
        self.style = style
        hits = HitText(
            .compact,
            columns: context.console.columns,
            numberMax: numberMax,
            query: query,
            style: style,
            now: context.now(),
            zone: context.zone
        )
    }

    func heading(_ group: JSONCursor) -> String {
        let name = group[.name]?.string ?? ""
        let count = FigureText.grouped(group[.count]?.int ?? 0)
        return style.bold(VisibleText.visible(name.isEmpty ? "(none)" : name)) + " " + style.dim(count) + "\n"
    }

    /// An item as a search shows a hit, with what the user has added below.
    func text(_ item: JSONCursor, number: Int) -> String {
        let saved = SavedText(item)
        var text = hits.text(FoundHit(item), number: number)
        let facts = [style.yellow(saved.stars), saved.tags, style.dim(savedAge(item))].filter { !$0.isEmpty }
        text += lines(facts.joined(separator: " · "))
        let notes = saved.notes.filter { !$0.lines.isEmpty }
        for note in notes.prefix(Self.notesMax) { text += self.text(note) }
        if notes.count > Self.notesMax {
            let more = FigureText.count(notes.count - Self.notesMax, "more note")
            text += hits.margin + Self.noteIndent + style.dim("and \(more): searchctl show \(number)") + "\n"
        }
        if let change = saved.lastChange {
            let age = age(change.at).map { " · " + $0 } ?? ""
            text += cut(change.text + age, style.green)
        }
        return text
    }

    /// The lines of a note that fit, the last one with an ellipsis when there are more.
    private func text(_ note: NoteText) -> String {
        var rows: [String] = []
        for line in note.lines {
            let room = Self.noteLinesMax - rows.count
            guard room > 0 else {
                rows[rows.count - 1] += " …"
                break
            }
            let columns = hits.textColumns - Self.noteIndent.count - 2
            rows += LineWrap.lines(Cell.cells(line), columns: columns, linesMax: room).map { $0.map(\.text).joined() }
        }
        return rows.map { hits.margin + Self.noteIndent + $0 + "\n" }.joined()
    }

    private func lines(_ text: String) -> String {
        Layout(columns: hits.textColumns).lines(text).filter { !$0.isEmpty }.map { hits.margin + $0 + "\n" }.joined()
    }

    private func cut(_ text: String, _ styled: (String) -> String) -> String {
        let cells = LineWrap.cut(Cell.cells(text), columns: hits.textColumns)
        return hits.margin + styled(cells.map(\.text).joined()) + "\n"
    }

    private func savedAge(_ item: JSONCursor) -> String {
        item[.savedAt]?.string.flatMap(age).map { "saved \($0)" } ?? ""
    }

    private func age(_ time: String) -> String? {
        PublishedTime(time, precision: nil)?.age(at: hits.now, in: hits.zone)
    }
}
