import SearchModel

/// Items as a list in Markdown; pure.
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
            // Two blanks at the end keep the lines apart.
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
