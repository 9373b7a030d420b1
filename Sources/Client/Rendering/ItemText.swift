import Hangul
package import JSON
import RPC
import SearchModel

/// Formats an item with all details.
package struct ItemText {
    private static let titleLinesMax = 5
    private static let descriptionLinesMax = 100
    private static let valueColumnsMax = 800
    private static let nameColumnsMax = 16

    package let columns: Int
    package let style: Style
    package let zone: LocalZone

    package init(columns: Int, style: Style, zone: LocalZone) {
        (self.columns, self.style, self.zone) = (columns, style, zone)
    }

    package func text(
        _ hit: JSONCursor,
        _ record: ItemRecord?,
        found: JSONCursor? = nil,
        saved: JSONCursor? = nil
    ) -> String {
        let facts = ItemFacts(hit, zone: zone)
        let saved = saved ?? (hit[.savedAt] == nil ? nil : hit)
        let description = facts.description.isEmpty ? found?[.snippet]?.string ?? "" : facts.description
        let title = facts.title.isEmpty ? HitText.untitled : facts.title
        var text = ""
        for line in wrapped(title, Self.titleLinesMax) {
            text += style.link(style.bold(line), to: facts.address, id: 1) + "\n"
        }
        for line in wrapped(facts.byline, Self.titleLinesMax) { text += style.cyan(line) + "\n" }
        if !description.isEmpty { text += "\n" }
        for line in wrapped(description, Self.descriptionLinesMax) { text += line + "\n" }
        text += "\n"
        var rows = facts.rows
        if let saved {
            rows += savedRows(saved)
        } else if record?.isSaved == true {
            rows.append(("saved", "in your library"))
        }
        let others = FoundHit(found ?? hit).alsoFrom
        if !others.isEmpty { rows.append(("also from", others.joined(separator: ", "))) }
        rows += facts.addresses
        rows += [("id", facts.id), ("source", origin(facts.source, record, isSaved: saved != nil))]
        text += lines(rows)
        if let raw = hit[.raw] {
            text += String(decoding: VisibleJSON.line(raw.text, isTerminal: true), as: UTF8.self)
        }
        return text
    }

    private func origin(_ source: String, _ record: ItemRecord?, isSaved: Bool) -> String {
        guard let record else { return "\(source), \(isSaved ? "as it was saved" : "from the search")" }
        let age = record.isNew || record.age < 1 ? "just now" : "\(NumberText.age(seconds: record.age)) ago"
        return "\(source), \(record.isFull ? "its own record" : "as a search found it"), \(age)"
    }

    private func savedRows(_ item: JSONCursor) -> [(name: String, value: String)] {
        let saved = SavedText(item)
        var rows = [("saved", time(item[.savedAt]?.string) ?? "in your library")]
        if !saved.tags.isEmpty { rows.append(("tags", saved.tags)) }
        let ratings = saved.notes.filter(\.lines.isEmpty).compactMap(\.rating)
        if let rating = ratings.last { rows.append(("rating", NoteText.stars(rating))) }
        for (index, note) in saved.notes.filter({ !$0.lines.isEmpty }).enumerated() {
            let head = NoteText.stars(note.rating)
            let text = note.lines.joined(separator: "\n")
            rows.append(("note \(index + 1)", head.isEmpty ? text : "\(head) \(text)"))
        }
        if let change = saved.lastChange {
            rows.append(("changed", [change.text, time(change.at)].compactMap(\.self).joined(separator: ", ")))
        }
        return rows
    }

    private func time(_ text: String?) -> String? {
        text.flatMap { PublishedTime($0, precision: nil)?.text(in: zone) }
    }

    private func wrapped(_ text: String, _ linesMax: Int) -> [String] {
        LineWrap.lines(Cell.cells(text), columns: columns, linesMax: linesMax).map { $0.map(\.text).joined() }
    }

    private func lines(_ rows: [(name: String, value: String)]) -> String {
        let cells = rows.flatMap { name, value in
            value.utf8.split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
                (name: index == 0 ? style.dim(VisibleText.visible(name)) : "", text: text(String(Substring(line))))
            }
        }
        let lines = Layout(columns: columns).table(cells, nameMax: Self.nameColumnsMax)
        return lines.map { $0 + "\n" }.joined()
    }

    private func text(_ line: String) -> String {
        guard ItemFacts.isAddress(line) else { return line.cut(columns: Self.valueColumnsMax) }
        return style.link(VisibleText.visible(ReadableAddress.text(line)), to: line, id: 1)
    }
}
