import JSON
import SearchModel

/// Reads the bookmarks of a browser as items, with the names of their folders as tags.
struct BookmarkReader {
    private enum Target {
        case nothing, folder, title, note
    }

    /// The names of the folders around the current bookmark.
    ///
    /// A standard folder of the browser is nil, because its name does not become a tag.
    private var folders: [String?] = []
    private var folder: String?
    private var target = Target.nothing
    private var text = ""
    private var entry: LibraryEntry?
    private var line = 1
    private var records: [ImportRecord] = []

    static func records(_ file: ArraySlice<UInt8>) -> [ImportRecord] {
        var reader = BookmarkReader()
        var rest = file
        var line = 1
        while !rest.isEmpty {
            let isTag = rest.first == UInt8(ascii: "<")
            let piece = isTag ? rest.prefix(Self.tagLength(rest)) : rest.prefix { $0 != UInt8(ascii: "<") }
            let content = String(decoding: isTag ? piece.dropFirst().dropLast() : piece, as: UTF8.self)
            if isTag, piece.last == UInt8(ascii: ">") {
                reader.begin(MarkupTag(content), at: line)
            } else if !isTag, reader.target != .nothing {
                reader.text += Entities.decoded(content)
            }
            line += piece.count { $0 == UInt8(ascii: "\n") }
            rest = rest.dropFirst(piece.count)
        }
        reader.end()
        return reader.records
    }

    private static func tagLength(_ text: ArraySlice<UInt8>) -> Int {
        var quote: UInt8?
        var before: UInt8 = 0
        for (offset, byte) in text.enumerated() {
            if byte == quote {
                quote = nil
            } else if quote == nil, before == UInt8(ascii: "="), MarkupTag.isQuote(byte) {
                quote = byte
            } else if quote == nil, byte == UInt8(ascii: ">") {
                return offset + 1
            }
            before = byte
        }
        return text.count
    }

    private mutating func begin(_ tag: MarkupTag, at line: Int) {
        switch ExactText(tag.name) {
        case "br": text += "\n"
        case "h3", "h1":
            end()
            let isStandard =
                tag.name.hasSameBytes(as: "h1") || tag["personal_toolbar_folder"] != nil
                || tag["unfiled_bookmarks_folder"] != nil
            target = isStandard ? .nothing : .folder
            folder = nil
        case "a":
            end()
            self.line = line
            entry = Self.entry(tag, in: folders.compactMap(\.self))
            target = .title
        case "dd":
            endText()
            guard entry != nil else { return }
            let rating = tag["data-rating"].flatMap(ImportTime.rating)
            entry?.notes.append(LibraryEntry.Note(title: tag["data-title"], text: nil, rating: rating))
            target = .note
        case "dl":
            end()
            folders.append(folder)
            folder = nil
        case "/dl":
            end()
            _ = folders.popLast()
        case "dt": end()
        case "/a", "/h1", "/h3": endText()
        default: break
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

    private mutating func endText() {
        switch target {
        case .nothing: break
        case .folder:
            let name = LibraryEntry.line(text)
            folder = name.isEmpty ? nil : name
        case .title: entry?.title = LibraryEntry.line(text)
        case .note: if let note = entry?.notes.indices.last { entry?.notes[note].text = LibraryEntry.lines(text) }
        }
        (target, text) = (.nothing, "")
    }

    private mutating func end() {
        endText()
        guard var entry = entry.take() else { return }
        entry.notes.removeAll(where: \.isEmpty)
        if entry.url.map(LibraryEntry.isWebAddress) == true {
            records.append(ImportRecord(line: line, outcome: .item(entry.item)))
        } else {
            let start = String(Substring((entry.url ?? "").utf8.prefix(24)))
            records.append(ImportRecord(line: line, outcome: .left("its address is not a web address: \(start)")))
        }
    }
}

struct MarkupTag {
    let name: String
    private var attributes: [(name: String, value: String)] = []

    init(_ content: String) {
        var rest = Substring(content).utf8
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let word = rest.prefix { !isBlank($0) }
        name = String(Substring(word)).lowercased()
        rest = rest.dropFirst(word.count)
        while true {
            rest = rest.drop(while: isBlank)
            guard !rest.isEmpty else { return }
            let key = rest.prefix { !isBlank($0) && $0 != UInt8(ascii: "=") }
            rest = rest.dropFirst(max(1, key.count))
            var value = ""
            if rest.first == UInt8(ascii: "="), !key.isEmpty {
                rest = rest.dropFirst()
                let quote = rest.first.flatMap { Self.isQuote($0) ? $0 : nil }
                if quote != nil { rest = rest.dropFirst() }
                let text = rest.prefix { byte in quote.map { byte != $0 } ?? !isBlank(byte) }
                rest = rest.dropFirst(text.count + (quote == nil ? 0 : 1))
                value = Entities.decoded(String(Substring(text)))
            }
            attributes.append((String(Substring(key)).lowercased(), value))
        }
    }

    static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    subscript(name: String) -> String? { attributes.first { $0.name.hasSameBytes(as: name) }?.value }
}

enum Entities {
    private static let named: [ExactText: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]
    private static let bytesMax = 10

    static func decoded(_ text: String) -> String {
        let parts = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var decoded = String(Substring(parts[0]))
        for part in parts.dropFirst() {
            let name = part.prefix(bytesMax).prefix { $0 != UInt8(ascii: ";") }
            let rest = part.dropFirst(name.count)
            if rest.first == UInt8(ascii: ";"), let scalar = scalar(String(Substring(name))) {
                decoded.unicodeScalars.append(scalar)
                decoded += String(Substring(rest.dropFirst()))
            } else {
                decoded += "&" + String(Substring(part))
            }
        }
        return decoded
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        if let known = named[ExactText(name)] { return known }
        guard name.utf8.first == UInt8(ascii: "#") else { return nil }
        let digits = name.utf8.dropFirst()
        let isHex = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        return UInt32(String(Substring(isHex ? digits.dropFirst() : digits)), radix: isHex ? 16 : 10)
            .flatMap(Unicode.Scalar.init)
    }
}
