import SearchModel

/// Books as RIS has them, in UTF-8; pure.
enum RISText {
    static func text(_ entry: LibraryEntry) -> String {
        let date = entry.publishedTime?.exact ?? ""
        var fields: [(String, String?)] = [("TY", "BOOK"), ("TI", entry.title)]
        fields += entry.authors.map { ("AU", $0) }
        fields += [
            ("PY", String(date.prefix(4))),
            ("DA", String(date.prefix(10)).replacing("-", with: "/")),
            ("PB", entry.extra("publisher")),
            ("SN", entry.extra("isbn13") ?? entry.extra("isbn10")),
            ("LA", entry.extra("language")),
            ("UR", entry.url),
        ]
        fields += entry.tags.map { ("KW", $0) }
        fields += entry.notes.flatMap { note in
            [
                note.rating.map { ("N1", "\($0)/5") }, note.title.map { ("N1", $0) }, note.text.map { ("N1", $0) },
            ].compactMap(\.self)
        }
        fields.append(("ID", entry.id))
        let lines = fields.compactMap { tag, value in
            // A line is a field: a text stays on one, and can begin none.
            value.map(LibraryEntry.line).flatMap { $0.isEmpty ? nil : "\(tag)  - \($0)\r\n" }
        }
        return lines.joined() + "ER  - \r\n\r\n"
    }
}
