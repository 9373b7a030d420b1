import JSON
import SearchModel

/// A library as a table (RFC 4180), in UTF-8; pure.
///
/// An item with several notes has a row for each, of which the others name the item only by its id and title.
enum CSVTable {
    enum Column: String, CaseIterable {
        case title
        case author
        case url
        case published
        case kind
        case tags
        case rating
        case noteTitle = "note title"
        case note
        case saved
        case snippet
        case thumbnail
        case extra
        case id
    }

    static let header = line(Column.allCases.map(\.rawValue))

    /// The rows of an item.
    static func rows(_ entry: LibraryEntry) -> String {
        let notes = entry.notes.isEmpty ? [LibraryEntry.Note()] : entry.notes
        return notes.enumerated().map { index, note in
            line(Column.allCases.map { column in cell(column, entry, note, isFirst: index == 0) ?? "" })
        }.joined()
    }

    private static func cell(
        _ column: Column,
        _ entry: LibraryEntry,
        _ note: LibraryEntry.Note,
        isFirst: Bool
    ) -> String? {
        switch column {
        case .id: return entry.id
        case .title: return entry.title
        case .rating: return note.rating.map(String.init)
        case .noteTitle: return note.title
        case .note: return note.text
        case _ where !isFirst: return nil
        case .author: return entry.author
        case .url: return entry.url
        case .published: return entry.publishedTime?.exact
        case .kind: return entry.kind
        case .tags: return TagList.text(entry.tags)
        case .saved: return entry.savedAt.map(RFC3339.text)
        case .snippet: return entry.snippet
        case .thumbnail: return entry.thumbnail
        case .extra: return entry.extra.map { String(decoding: $0.text, as: UTF8.self) }
        }
    }

    private static func line(_ cells: [String]) -> String {
        cells.map { quoted(guarded($0)) }.joined(separator: ",") + "\r\n"
    }

    /// A spreadsheet would take such a text for a formula; the apostrophe makes it a text, and an import takes it off.
    private static func guarded(_ cell: String) -> String {
        isGuarded(cell) ? "'" + cell : cell
    }

    /// The cell as it was before it was guarded.
    static func unguarded(_ cell: String) -> String {
        cell.utf8.first == UInt8(ascii: "'") && isGuarded(cell) ? String(Substring(cell.utf8.dropFirst())) : cell
    }

    private static func isGuarded(_ cell: String) -> Bool {
        guard let first = cell.utf8.first(where: { $0 != UInt8(ascii: "'") }) else { return false }
        return "=+-@\t\r".utf8.contains(first)
    }

    private static func quoted(_ cell: String) -> String {
        let needsQuotes = cell.utf8.contains { [0x22, 0x2C, 0x3B, 0x0A, 0x0D, 0x09].contains($0) }
        return needsQuotes ? "\"" + cell.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\"" : cell
    }
}
