import JSON
import SearchModel

/// A library as a table (RFC 4180), in UTF-8: one description of its columns for export and import; pure.
///
/// An item with several notes has a row for each, of which the others name the item only by its id and title.
enum CSVTable {
    /// One column: its name, what other programs call it, and how it is written and read.
    struct Column: Sendable {
        let name: String
        let others: [String]
        /// Whether it is also in the rows of further notes.
        var isInEachRow = false
        let text: @Sendable (LibraryEntry, LibraryEntry.Note) -> String?
        let take: @Sendable (String, inout LibraryEntry, inout LibraryEntry.Note) -> Void
    }

    private static let columns = [
        Column(
            name: "title",
            others: ["name", "제목"],
            isInEachRow: true,
            text: { entry, _ in entry.title },
            take: { text, entry, _ in entry.title = LibraryEntry.line(text) }
        ),
        Column(
            name: "author",
            others: ["authors", "저자"],
            text: { entry, _ in entry.author },
            take: { text, entry, _ in entry.author = LibraryEntry.line(text) }
        ),
        Column(
            name: "url",
            others: ["link", "href", "address", "uri", "주소", "링크"],
            text: { entry, _ in entry.url },
            take: { text, entry, _ in entry.url = LibraryEntry.line(text) }
        ),
        Column(
            name: "published",
            others: ["date"],
            text: { entry, _ in entry.publishedTime?.exact },
            take: { text, entry, _ in
                guard let (text, precision) = ImportTime.published(text) else { return }
                (entry.published, entry.precision) = (text, precision)
            }
        ),
        Column(
            name: "kind",
            others: [],
            text: { entry, _ in entry.kind },
            take: { text, entry, _ in entry.kind = LibraryEntry.line(text) }
        ),
        Column(
            name: "tags",
            others: ["label", "labels", "keywords", "folder", "bookshelves", "태그"],
            text: { entry, _ in TagList.text(entry.tags) },
            take: { text, entry, _ in entry.tags = TagList.tags(text) }
        ),
        Column(
            name: "rating",
            others: ["my rating", "stars", "평점", "별점"],
            isInEachRow: true,
            text: { _, note in note.rating.map(String.init) },
            take: { text, _, note in note.rating = ImportNumber.rating(text) }
        ),
        Column(
            name: "note title",
            others: [],
            isInEachRow: true,
            text: { _, note in note.title },
            take: { text, _, note in note.title = LibraryEntry.line(text) }
        ),
        Column(
            name: "note",
            others: ["notes", "comment", "comments", "my review", "메모"],
            isInEachRow: true,
            text: { _, note in note.text },
            take: { text, _, note in note.text = LibraryEntry.lines(text) }
        ),
        Column(
            name: "saved",
            others: ["savedat", "created", "time_added", "date added", "added", "timestamp"],
            text: { entry, _ in entry.savedAt.map(RFC3339.text) },
            take: { text, entry, _ in entry.savedAt = ImportTime.seconds(text) }
        ),
        Column(
            name: "snippet",
            others: ["excerpt", "description", "selection"],
            text: { entry, _ in entry.snippet },
            take: { text, entry, _ in entry.snippet = LibraryEntry.line(text) }
        ),
        Column(
            name: "thumbnail",
            others: ["cover"],
            text: { entry, _ in entry.thumbnail },
            take: { text, entry, _ in
                if LibraryEntry.isWebAddress(text) { entry.thumbnail = LibraryEntry.line(text) }
            }
        ),
        Column(
            name: "extra",
            others: [],
            text: { entry, _ in entry.extra.map { String(decoding: $0.text, as: UTF8.self) } },
            take: { text, entry, _ in
                let read = try? JSONDocument(Array(text.utf8), limits: SavedMembers.limits).root
                if read?.kind == .object { entry.extra = read }
            }
        ),
        Column(
            name: "id",
            others: [],
            isInEachRow: true,
            text: { entry, _ in entry.id },
            take: { text, entry, _ in if HitSelection.isID(text) { entry.id = LibraryEntry.line(text) } }
        ),
    ]

    /// The column of that name, or that other programs call so.
    static func column(_ name: String) -> Column? {
        let name = ExactText(LibraryEntry.line(name).lowercased())
        return columns.first { ExactText($0.name) == name || $0.others.contains { ExactText($0) == name } }
    }

    static let header = line(columns.map(\.name))

    /// The rows of an item.
    static func rows(_ entry: LibraryEntry) -> String {
        let notes = entry.notes.isEmpty ? [LibraryEntry.Note()] : entry.notes
        return notes.enumerated().map { index, note in
            line(columns.map { index == 0 || $0.isInEachRow ? $0.text(entry, note) ?? "" : "" })
        }.joined()
    }

    /// What a row says of an item; its cells by the names of their columns.
    static func entry(_ row: [String: String]) -> LibraryEntry {
        var entry = LibraryEntry()
        var note = LibraryEntry.Note()
        for column in columns {
            if let text = row[column.name] { column.take(text, &entry, &note) }
        }
        if !note.isEmpty { entry.notes = [note] }
        return entry
    }

    private static func line(_ cells: [String]) -> String {
        cells.map { quoted(isGuarded($0) ? "'" + $0 : $0) }.joined(separator: ",") + "\r\n"
    }

    /// The cell as it was before it was guarded.
    static func unguarded(_ cell: String) -> String {
        cell.utf8.first == UInt8(ascii: "'") && isGuarded(cell) ? String(Substring(cell.utf8.dropFirst())) : cell
    }

    /// Whether a spreadsheet would take a text for a formula, or cut its blanks: an apostrophe makes it a text, and an
    /// import takes it off.
    private static func isGuarded(_ cell: String) -> Bool {
        guard let first = cell.unicodeScalars.first(where: { $0 != "'" }) else { return false }
        return "=+-@\t\r ＝＋－＠".unicodeScalars.contains(first)
    }

    private static func quoted(_ cell: String) -> String {
        let needsQuotes = cell.utf8.contains { [0x22, 0x2C, 0x3B, 0x0A, 0x0D, 0x09].contains($0) }
        return needsQuotes ? "\"" + cell.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\"" : cell
    }
}
