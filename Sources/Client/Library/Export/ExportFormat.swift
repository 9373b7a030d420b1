import JSON
import SearchModel

/// The formats of an export; pure.
enum ExportFormat: String, CaseIterable {
    /// The complete items, one per line.
    case ndjson
    case csv
    case markdown
    /// The bookmark file that browsers read.
    case html
    case bibtex

    static let names = allCases.map(\.rawValue)

    /// The text before the first item.
    var opening: String {
        switch self {
        case .ndjson, .bibtex: ""
        case .csv: CSVTable.header
        case .markdown: "# Library\n\n"
        case .html: BookmarkText.opening
        }
    }

    /// The text after the last item.
    var closing: String { self == .html ? BookmarkText.closing : "" }

    /// Returns the reason to leave out an item, or nil if the format can represent it.
    func omission(_ entry: LibraryEntry) -> String? {
        switch self {
        case .ndjson, .csv, .markdown: nil
        case .html: entry.url == nil ? "a bookmark needs a web address" : nil
        case .bibtex: entry.kind.hasSameBytes(as: "book") ? nil : "this format is for books"
        }
    }

    /// Returns the lines of an item, or an empty text for ndjson, because the caller prints the item itself.
    func text(_ entry: LibraryEntry) -> String {
        switch self {
        case .ndjson: ""
        case .csv: CSVTable.rows(entry)
        case .markdown: ItemMarkdown.text(entry)
        case .html: BookmarkText.text(entry)
        case .bibtex: BibTeX.text(entry)
        }
    }
}

/// Formats items as a Markdown list; pure.
enum ItemMarkdown {
    static func text(_ entry: LibraryEntry) -> String {
        let title = lineEscaped(entry.title.isEmpty ? HitText.untitled : entry.title)
        let link = MarkdownText.link(title, to: entry.url)
        let origin = [entry.source, entry.author ?? "", entry.publishedTime?.exact ?? ""].filter { !$0.isEmpty }
        let tags = entry.tags.map { "#" + escaped($0) }.joined(separator: " ")
        let stars = NoteText.stars(entry.notes.compactMap(\.rating).max())
        let facts = [escaped(origin.joined(separator: " · ")), stars, tags].filter { !$0.isEmpty }
        var text = "- \(link) — \(facts.joined(separator: " · "))\n"
        for note in entry.notes where note.title != nil || note.text != nil {
            text += "\n"
            if let title = note.title { text += "  > **\(escaped(title))**\n" + (note.text == nil ? "" : "  >\n") }
            let lines = note.text?.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) ?? []
            // In Markdown, two blanks at the end of a line are a line break.
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

/// Formats items as bookmarks (NETSCAPE-Bookmark-file-1); pure.
///
/// Attributes such as `DATA-ID` are searchd's own. Browsers ignore them, and an import reads them.
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

/// Formats books as BibTeX, in UTF-8; pure.
enum BibTeX {
    static func text(_ entry: LibraryEntry) -> String {
        let date = entry.publishedTime?.exact ?? ""
        let isbn = entry.extra("isbn13") ?? entry.extra("isbn10")
        let fields: [(String, String)] = [
            // The inner braces keep capital letters.
            ("title", "{\(escaped(entry.title))}"),
            ("author", entry.authors.map(person).joined(separator: " and ")),
            ("publisher", escaped(entry.extra("publisher") ?? "")),
            ("year", String(date.prefix(4))),
            ("date", String(date.prefix(10))),
            ("isbn", escaped(isbn ?? "")),
            ("language", escaped(entry.extra("language") ?? "")),
            ("url", entry.url.flatMap(Style.linkTarget).map(address) ?? ""),
            ("keywords", escaped(entry.tags.joined(separator: ", "))),
            ("annote", escaped(entry.notes.compactMap(note).joined(separator: " · "))),
        ]
        let lines = fields.filter { !$0.1.isEmpty && $0.1 != "{}" }.map { "  \($0.0) = {\($0.1)}" }
        return "@book{\(key(entry.id ?? "")),\n" + lines.joined(separator: ",\n") + "\n}\n\n"
    }

    private static func note(_ note: LibraryEntry.Note) -> String? {
        let stars = note.rating.map { "\($0)/5" }
        let text = [note.title.map { $0 + (note.text == nil ? "" : ":") }, note.text].compactMap(\.self)
        let parts = [stars].compactMap(\.self) + text
        return parts.isEmpty ? nil : LibraryEntry.line(parts.joined(separator: " "))
    }

    /// Escapes text for TeX, with commands for braces, because BibTeX counts braces even after a backslash.
    static func escaped(_ text: String) -> String {
        LibraryEntry.line(text).replacingScalars { scalar in
            switch scalar {
            case "\\": "\\textbackslash{}"
            case "{": "\\textbraceleft{}"
            case "}": "\\textbraceright{}"
            case "~": "\\textasciitilde{}"
            case "^": "\\textasciicircum{}"
            case "$", "&", "%", "#", "_": "\\\(scalar)"
            default: nil
            }
        }
    }

    /// Encloses a name in braces if BibTeX would split or reorder it.
    private static func person(_ name: String) -> String {
        let escaped = escaped(name)
        let words = escaped.utf8.split(separator: UInt8(ascii: " ")).map { Array($0.map(\.lowered)) }
        let isOdd = escaped.utf8.contains(UInt8(ascii: ",")) || words.contains(Array("and".utf8))
        return isOdd ? "{\(escaped)}" : escaped
    }

    private static func address(_ target: String) -> String {
        PercentEncoding.encode(target) { !"{}\\".utf8.contains($0) }
    }

    /// Returns a key made from the id, with other characters in hexadecimal.
    private static func key(_ id: String) -> String {
        PercentEncoding.encode(id) { $0.isLetter || $0.isDigit || ".:-".utf8.contains($0) }.replacing("%", with: "+")
    }
}
