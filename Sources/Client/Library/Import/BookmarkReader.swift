import JSON
import SearchModel

/// Reads the bookmark file of a browser: each bookmark becomes an item, and the folders it lies in become its tags.
struct BookmarkReader {
    /// The names of the open folders; nil for those that every browser has.
    private var folders: [String?] = []
    /// A folder whose name has been read, and whose list has not begun.
    private var folder: String?
    /// Where text goes.
    private var target = Target.nothing
    private var text = ""
    /// The bookmark that has begun.
    private var entry: LibraryEntry?
    private var line = 0

    private enum Target {
        case nothing
        case folder
        case title
        case note
    }

    static func records(_ file: ArraySlice<UInt8>) -> [ImportRecord] {
        var reader = BookmarkReader()
        return MarkupPiece.all(in: file).flatMap { reader.take($0) } + reader.ended()
    }

    private mutating func take(_ piece: MarkupPiece) -> [ImportRecord] {
        guard let content = piece.content else {
            return [ImportRecord(line: piece.line, outcome: ImportRecord.tooLong)]
        }
        guard let written = String(validating: content, as: UTF8.self) else {
            return [ImportRecord(line: piece.line, outcome: ImportRecord.notText)]
        }
        guard piece.isTag else {
            if case .nothing = target {} else { text += Entities.decoded(written) }
            return []
        }
        return begin(MarkupTag(written), at: piece.line)
    }

    private mutating func begin(_ tag: MarkupTag, at line: Int) -> [ImportRecord] {
        switch ExactText(tag.name) {
        case "br":
            text += "\n"
            return []
        case "h3", "h1":
            let records = ended()
            // What every browser has says nothing.
            let isOwn =
                tag.name.hasSameBytes(as: "h3") && tag["personal_toolbar_folder"] == nil
                && tag["unfiled_bookmarks_folder"] == nil
            target = isOwn ? .folder : .nothing
            folder = nil
            return records
        case "a":
            let records = ended()
            self.line = line
            entry = Self.entry(tag, in: folders.compactMap(\.self))
            target = .title
            return records
        case "dd":
            endText()
            guard entry != nil else { return [] }
            entry?.notes.append(
                LibraryEntry.Note(
                    title: tag["data-title"],
                    text: nil,
                    rating: tag["data-rating"].flatMap(ImportNumber.rating)
                )
            )
            target = .note
            return []
        case "dl":
            let records = ended()
            folders.append(folder)
            folder = nil
            return records
        case "/dl":
            let records = ended()
            _ = folders.popLast()
            return records
        case "dt": return ended()
        case "/a", "/h1", "/h3":
            endText()
            return []
        default: return []
        }
    }

    private static func entry(_ tag: MarkupTag, in folders: [String]) -> LibraryEntry {
        var entry = LibraryEntry()
        entry.url = tag["href"].map(LibraryEntry.line)
        entry.id = tag["data-id"].flatMap { HitSelection.isID($0) ? $0 : nil }
        entry.kind = tag["data-kind"] ?? LibraryEntry.webKind
        entry.savedAt = tag["add_date"].flatMap(ImportTime.seconds)
        entry.updatedAt = tag["last_modified"].flatMap(ImportTime.seconds)
        entry.tags = folders + (tag["tags"].map(TagList.tags) ?? [])
        return entry
    }

    /// Takes the text that has been read as what it is.
    private mutating func endText() {
        switch target {
        case .nothing: break
        case .folder:
            let name = LibraryEntry.line(text)
            folder = name.isEmpty ? nil : name
        case .title: entry?.title = LibraryEntry.line(text)
        case .note:
            if let note = entry?.notes.indices.last { entry?.notes[note].text = LibraryEntry.lines(text) }
        }
        (target, text) = (.nothing, "")
    }

    /// The bookmark that has begun is complete.
    private mutating func ended() -> [ImportRecord] {
        endText()
        guard var entry = entry.take() else { return [] }
        entry.notes.removeAll(where: \.isEmpty)
        guard entry.url.map(LibraryEntry.isWebAddress) == true else {
            let scheme = String(Substring((entry.url ?? "").utf8.prefix(24)))
            return [ImportRecord(line: line, outcome: .left("its address is no web address: \(scheme)"))]
        }
        return [ImportRecord(line: line, outcome: .item(entry.item))]
    }
}
