import SearchModel

/// Items as bookmarks in the file that browsers read (NETSCAPE-Bookmark-file-1); pure.
///
/// What has no room in such a file stands in attributes of our own, which browsers pass over and an import reads.
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

    /// A text that ends neither its tag nor its attribute.
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
