import JSON

/// How a library is written for other programs; pure.
enum ExportFormat: String, CaseIterable {
    /// An ITEM a line: all there is, which an import takes back.
    case ndjson
    /// A row for each item, and one more for each further note.
    case csv
    case markdown
    /// The bookmark file that browsers read.
    case html
    case bibtex
    case ris

    static let names = allCases.map(\.rawValue)

    /// Why an item is not in such a file.
    enum Omission: Hashable {
        case noAddress
        case noBook

        var reason: String {
            switch self {
            case .noAddress: "a bookmark needs a web address"
            case .noBook: "this format is for books"
            }
        }
    }

    /// What stands before the first item.
    var opening: String {
        switch self {
        case .ndjson, .bibtex, .ris: ""
        case .csv: CSVTable.header
        case .markdown: "# Library\n\n"
        case .html: BookmarkText.opening
        }
    }

    /// What stands behind the last one.
    var closing: String { self == .html ? BookmarkText.closing : "" }

    /// Why an item is left out; nil when it is not.
    func omission(_ entry: LibraryEntry) -> Omission? {
        switch self {
        case .ndjson, .csv, .markdown: nil
        case .html: entry.url == nil ? .noAddress : nil
        case .bibtex, .ris: entry.kind.hasSameBytes(as: "book") ? nil : .noBook
        }
    }

    /// An item with its line ends; of ndjson nothing, since that is the item itself.
    func text(_ entry: LibraryEntry) -> String {
        switch self {
        case .ndjson: ""
        case .csv: CSVTable.rows(entry)
        case .markdown: ItemMarkdown.text(entry)
        case .html: BookmarkText.text(entry)
        case .bibtex: BibTeX.text(entry)
        case .ris: RISText.text(entry)
        }
    }
}
