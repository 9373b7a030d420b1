import JSON
import SearchModel

/// The columns of a library as CSV (RFC 4180, UTF-8).
///
/// Each further note of an item has its own row.
enum CSVColumn: String, CaseIterable {
    case title, author, url, published, kind, tags, rating
    case noteTitle = "note title"
    case note, saved, snippet, thumbnail, extra
    case alsoFrom = "other sources"
    case id

    private var others: [String] {
        switch self {
        case .title: ["name", "제목"]
        case .author: ["authors", "저자"]
        case .url: ["link", "href", "address", "uri", "주소", "링크"]
        case .published: ["date"]
        case .tags: ["label", "labels", "keywords", "folder", "bookshelves", "태그"]
        case .rating: ["my rating", "stars", "평점", "별점"]
        case .note: ["notes", "comment", "comments", "my review", "메모"]
        case .saved: ["savedat", "created", "time_added", "date added", "added", "timestamp"]
        case .snippet: ["excerpt", "description", "selection"]
        case .thumbnail: ["cover"]
        case .kind, .noteTitle, .extra, .alsoFrom, .id: []
        }
    }

    init?(named name: String) {
        let name = ExactText(LibraryEntry.line(name).lowercased())
        guard
            let column = Self.allCases.first(where: { ([$0.rawValue] + $0.others).contains { ExactText($0) == name } })
        else { return nil }
        self = column
    }

    var repeatsInNoteRows: Bool { [.title, .rating, .noteTitle, .note, .id].contains(self) }

    func text(_ entry: LibraryEntry, _ note: LibraryEntry.Note) -> String? {
        switch self {
        case .title: entry.title
        case .author: entry.author
        case .url: entry.url
        case .published: entry.publishedTime?.exact
        case .kind: entry.kind
        case .tags: TagList.text(entry.tags)
        case .rating: note.rating.map(String.init)
        case .noteTitle: note.title
        case .note: note.text
        case .saved: entry.savedAt.map(RFC3339.text)
        case .snippet: entry.snippet
        case .thumbnail: entry.thumbnail
        case .extra: entry.extra.map { String(decoding: $0.text, as: UTF8.self) }
        case .alsoFrom: TagList.text(entry.alsoFrom)
        case .id: entry.id
        }
    }

    func take(_ text: String, _ entry: inout LibraryEntry, _ note: inout LibraryEntry.Note) {
        let line = LibraryEntry.line(text)
        switch self {
        case .title: entry.title = line
        case .author: entry.author = line
        case .url: entry.url = line
        case .published:
            if let (text, precision) = ImportTime.published(text) {
                (entry.published, entry.precision) = (text, precision)
            }
        case .kind: entry.kind = line
        case .tags: entry.tags = TagList.tags(text)
        case .rating: note.rating = ImportTime.rating(text)
        case .noteTitle: note.title = line
        case .note: note.text = LibraryEntry.lines(text)
        case .saved: entry.savedAt = ImportTime.seconds(text)
        case .snippet: entry.snippet = line
        case .thumbnail: if LibraryEntry.isWebAddress(text) { entry.thumbnail = line }
        case .extra:
            let read = try? JSONDocument(Array(text.utf8), limits: SavedMembers.limits).root
            if read?.kind == .object { entry.extra = read }
        case .alsoFrom: entry.alsoFrom = TagList.tags(text)
        case .id: if HitSelection.isID(text) { entry.id = line }
        }
    }
}

enum CSVTable {
    static let header = line(CSVColumn.allCases.map(\.rawValue))

    static func rows(_ entry: LibraryEntry) -> String {
        let notes = entry.notes.isEmpty ? [LibraryEntry.Note()] : entry.notes
        return notes.enumerated().map { index, note in
            line(CSVColumn.allCases.map { index == 0 || $0.repeatsInNoteRows ? $0.text(entry, note) ?? "" : "" })
        }.joined()
    }

    private static func line(_ cells: [String]) -> String {
        cells.map { quoted(isGuarded($0) ? "'" + $0 : $0) }.joined(separator: ",") + "\r\n"
    }

    static func unguarded(_ cell: String) -> String {
        cell.utf8.first == UInt8(ascii: "'") && isGuarded(cell) ? String(Substring(cell.utf8.dropFirst())) : cell
    }

    /// Whether a spreadsheet would read the cell as a formula or remove its blanks.
    ///
    /// An apostrophe prevents both.
    private static func isGuarded(_ cell: String) -> Bool {
        guard let first = cell.unicodeScalars.first(where: { $0 != "'" }) else { return false }
        return "=+-@\t\r ＝＋－＠".unicodeScalars.contains(first)
    }

    private static func quoted(_ cell: String) -> String {
        let needsQuotes = cell.utf8.contains { [0x22, 0x2C, 0x3B, 0x0A, 0x0D, 0x09].contains($0) }
        return needsQuotes ? "\"" + cell.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\"" : cell
    }
}
