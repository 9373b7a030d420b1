import JSON
import SearchModel

/// The formats of an export.
enum ExportFormat: String, CaseIterable {
    case ndjson
    case csv
    case markdown
    case html

    static let names = allCases.map(\.rawValue)

    var opening: String {
        switch self {
        case .ndjson: ""
        case .csv: CSVTable.header
        case .markdown: "# Library\n\n"
        case .html: BookmarkText.opening
        }
    }

    var closing: String { self == .html ? BookmarkText.closing : "" }

    func text(_ item: JSONCursor, zone: LocalZone) -> String? {
        let entry = LibraryEntry(item)
        return switch self {
        case .ndjson: String(decoding: item.text, as: UTF8.self) + "\n"
        case .csv: CSVTable.rows(entry)
        case .markdown: ItemMarkdown.text(entry, zone: zone)
        case .html: entry.url == nil ? nil : BookmarkText.text(entry)
        }
    }
}

enum ItemMarkdown {
    static func text(_ entry: LibraryEntry, zone: LocalZone) -> String {
        let title = lineEscaped(entry.title.isEmpty ? HitText.untitled : entry.title)
        let link = MarkdownText.link(title, to: entry.url)
        let date = entry.publishedTime?.text(in: zone) ?? ""
        let origin = [entry.source, entry.author ?? "", date].filter { !$0.isEmpty }
        let tags = SavedText.text(ofTags: entry.tags.map(escaped))
        let stars = NoteText.stars(entry.notes.compactMap(\.rating).last)
        let facts = [escaped(origin.joined(separator: " · ")), stars, tags].filter { !$0.isEmpty }
        var text = "- \(link) — \(facts.joined(separator: " · "))\n"
        for note in entry.notes where note.title != nil || note.text != nil {
            text += "\n"
            if let title = note.title { text += "  > **\(escaped(title))**\n" + (note.text == nil ? "" : "  >\n") }
            let lines = note.text?.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) ?? []
            text += lines.map { "  > \(lineEscaped(String(Substring($0))))" }.joined(separator: "  \n")
            if !lines.isEmpty { text += "\n" }
        }
        return text + "\n"
    }

    private static func lineEscaped(_ text: String) -> String {
        MarkdownText.lineEscaped(LibraryEntry.line(text))
    }

    private static func escaped(_ text: String) -> String {
        MarkdownText.escaped(LibraryEntry.line(text))
    }
}

enum BookmarkText {
    static let opening = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
        <TITLE>Bookmarks</TITLE>
        <H1>Bookmarks</H1>
        <DL><p>

        """
    static let closing = "</DL><p>\n"

    static func text(_ entry: LibraryEntry) -> String {
        let attributes: [(String, String?)] = [
            ("HREF", entry.url), ("ADD_DATE", entry.savedAt.map(String.init)),
            ("LAST_MODIFIED", entry.updatedAt.map(String.init)),
            ("TAGS", entry.tags.isEmpty ? nil : TagList.text(entry.tags)), ("DATA-ID", entry.id),
            ("DATA-KIND", entry.kind),
        ]
        let title = LibraryEntry.line(entry.title.isEmpty ? entry.url ?? "" : entry.title)
        var text = "    <DT><A\(written(attributes))>\(escaped(title))</A>\n"
        for note in entry.notes {
            let attributes = [("DATA-TITLE", note.title), ("DATA-RATING", note.rating.map(String.init))]
            text += "    <DD\(written(attributes))>\(escaped(note.text ?? ""))\n"
        }
        return text
    }

    private static func written(_ attributes: [(name: String, value: String?)]) -> String {
        attributes.map { name, value in value.map { " \(name)=\"\(escaped($0))\"" } ?? "" }.joined()
    }

    static func escaped(_ text: String) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: nil
            }
        }
    }
}
