import Hangul
package import JSON
package import SearchModel

/// A hit that a user has saved, with tags and notes.
package struct SavedItem: Equatable, Sendable {
    package static let tagsMax = 64
    package static let notesMax = 100
    /// Only the latest changes are kept.
    package static let changesMax = 100
    package static let bytesMax = 256 << 10

    package var hit: SavedHit
    /// All times of this type are in seconds since 1970.
    package let savedAt: Int64
    package var updatedAt: Int64
    package var tags: [Tag] = []
    package var notes: [Note] = []
    package var changes: [FieldChange] = []

    package var id: String { hit.id }

    package var bytes: Int {
        let own = notes.reduce(0) { $0 + $1.bytes } + changes.reduce(0) { $0 + $1.bytes }
        return hit.bytes.count + own + tags.reduce(128) { $0 + $1.text.utf8.count + 3 }
    }

    package var rating: Int? { notes.compactMap(\.rating).last }

    package init(_ hit: SavedHit, savedAt: Int64) {
        (self.hit, self.savedAt, updatedAt) = (hit, savedAt, savedAt)
    }

    /// Compares bytes, because `String` treats different normal forms as equal.
    package static func == (left: SavedItem, right: SavedItem) -> Bool { left.jsonBytes == right.jsonBytes }

    package var json: JSONValue { .object(hit.members + ownMembers) }

    package var jsonBytes: [UInt8] {
        hit.bytes.dropLast() + [UInt8(ascii: ",")] + JSONValue.object(ownMembers).bytes.dropFirst()
    }

    private var ownMembers: [JSONMember] {
        var members = [
            JSONMember("savedAt", .string(RFC3339.text(savedAt))),
            JSONMember("updatedAt", .string(RFC3339.text(updatedAt))),
        ]
        if !tags.isEmpty { members.append(JSONMember("tags", .array(tags.map { .string($0.text) }))) }
        if !notes.isEmpty { members.append(JSONMember("notes", .array(notes.map(\.json)))) }
        if !changes.isEmpty { members.append(JSONMember("changes", .array(changes.map(\.json)))) }
        return members
    }

    /// Reads a saved item, or a hit that is saved now; throws `invalidParams` with the path of an invalid member.
    package init(_ value: JSONValue, savedNow now: Int64, path: String) throws(SearchError) {
        hit = try SavedHit(value, path: path)
        savedAt = try Int64.time(value["savedAt"], "\(path).savedAt") ?? now
        updatedAt = try Int64.time(value["updatedAt"], "\(path).updatedAt") ?? savedAt
        for (index, tag) in try Self.list(value["tags"], "\(path).tags", max: Self.tagsMax).enumerated() {
            try add(tag: try Tag(value: tag, path: "\(path).tags[\(index)]"), path: "\(path).tags")
        }
        for (index, note) in try Self.list(value["notes"], "\(path).notes", max: Self.notesMax).enumerated() {
            var note = try Note(note, at: now, path: "\(path).notes[\(index)]")
            if note.id.isEmpty { note.id = "\(index + 1)" }
            guard self.note(note.id) == nil else {
                throw .invalid(
                    "Another note of the item has the same id.",
                    "\(path).notes[\(index)].id",
                    hint: "Give each note a unique id, or no id."
                )
            }
            notes.append(note)
        }
        for (index, change) in try Self.list(value["changes"], "\(path).changes", max: Self.changesMax).enumerated() {
            changes.append(try FieldChange(value: change, path: "\(path).changes[\(index)]"))
        }
        try checkSize(path: path)
    }

    private static func list(_ value: JSONValue?, _ path: String, max: Int) throws(SearchError) -> [JSONValue] {
        guard let value else { return [] }
        guard let list = value.array, list.count <= max else {
            throw .invalid("It must be a list of at most \(max) elements.", path)
        }
        return list
    }

    static func texts(of document: [UInt8]) -> [FoldedText] {
        guard let root = try? JSONDocument(document).root else { return [] }
        return [title(of: root)] + otherTexts(of: root)
    }

    static func title(of item: JSONCursor) -> FoldedText { FoldedText(item["title"]?.string ?? "") }

    /// Returns the searchable texts except the title.
    ///
    /// Parsing the whole item would take several times as long.
    static func otherTexts(of item: JSONCursor) -> [FoldedText] {
        var texts: [FoldedText] = []
        func add(_ value: JSONCursor?, isOpenInside: Bool = true) {
            if let text = value?.string { texts.append(FoldedText(text, isOpenInside: isOpenInside)) }
        }
        add(item["snippet"], isOpenInside: false)
        add(item["author"])
        for note in item["notes"]?.elements ?? [] {
            add(note["title"])
            add(note["text"])
        }
        for tag in item["tags"]?.elements ?? [] { add(tag) }
        return texts
    }

    func checkSize(path: String) throws(SearchError) {
        guard bytes > Self.bytesMax else { return }
        let message = "An item with its notes must not be larger than \(Self.bytesMax >> 10) KiB."
        throw .invalid(message, path, hint: "Shorten or remove notes.")
    }

    func note(_ id: String) -> Int? { notes.firstIndex { $0.id.hasSameBytes(as: id) } }

    mutating func add(_ note: Note) throws(SearchError) {
        guard notes.count < Self.notesMax else {
            throw .invalid(
                "An item can have at most \(Self.notesMax) notes.",
                "params.note",
                hint: "Remove a note first, or replace one by its id."
            )
        }
        var note = note
        note.id = "\((notes.compactMap { Int($0.id) }.max() ?? 0) + 1)"
        notes.append(note)
    }

    package mutating func add(tag: Tag, path: String) throws(SearchError) {
        guard !tags.contains(tag) else { return }
        guard tags.count < Self.tagsMax else {
            throw .invalid("An item can have at most \(Self.tagsMax) tags.", path, hint: "Remove a tag first.")
        }
        tags.append(tag)
    }
}

/// A label of items, stored in NFC; tags that differ only in case are equal.
package struct Tag: Hashable, Sendable {
    package static let bytesMax = 64

    package let text: String
    private let key: ExactText

    package init?(_ written: String) {
        guard let text = UserText.line(written, bytesMax: Self.bytesMax), !text.isEmpty else { return nil }
        self.text = text
        key = ExactText(text.lowercased())
    }

    package init(value: JSONValue, path: String) throws(SearchError) {
        guard let tag = value.string.flatMap(Tag.init) else {
            throw .invalid("A tag must be a text of 1 to \(Self.bytesMax) bytes.", path)
        }
        self = tag
    }

    var folded: String { key.text }

    package static func == (left: Tag, right: Tag) -> Bool { left.key == right.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

package struct Note: Equatable, Sendable {
    package static let titleBytesMax = 256
    package static let textBytesMax = 16 << 10
    package static let ratings = 1...5
    private static let idBytesMax = 64
    private static let names: Set<ExactText> = ["id", "title", "text", "rating", "at"]

    /// Empty for a new note.
    package internal(set) var id: String
    package let title: String?
    package let text: String?
    package let rating: Int?
    package internal(set) var at: Int64

    fileprivate var bytes: Int { (title?.utf8.count ?? 0) + (text?.utf8.count ?? 0) + id.utf8.count + 96 }

    /// Throws `invalidParams` if the note is empty or a member is invalid.
    package init(_ value: JSONValue, at now: Int64, path: String) throws(SearchError) {
        guard let members = value.members else { throw .invalid("A note must be an object.", path) }
        for member in members where !Self.names.contains(ExactText(member.name)) {
            throw .invalid("This is not a member of a note.", "\(path).\(member.name)")
        }
        func text(_ name: String, _ bytesMax: Int, _ clean: (String, Int) -> String?) throws(SearchError) -> String? {
            guard let found = value[name] else { return nil }
            guard let text = found.string.flatMap({ clean($0, bytesMax) }) else {
                throw .invalid("It must be a text of at most \(bytesMax) bytes.", "\(path).\(name)")
            }
            return text.isEmpty ? nil : text
        }
        id = try text("id", Self.idBytesMax) { UserText.line($0, bytesMax: $1) } ?? ""
        title = try text("title", Self.titleBytesMax) { UserText.line($0, bytesMax: $1) }
        self.text = try text("text", Self.textBytesMax) { UserText.lines($0, bytesMax: $1) }
        rating = value["rating"]?.int
        guard value["rating"] == nil || Self.ratings.contains(rating ?? 0) else {
            throw .invalid("A rating must be a number from 1 to 5.", "\(path).rating")
        }
        guard title != nil || self.text != nil || rating != nil else {
            throw .invalid("A note must have a title, a text or a rating.", path)
        }
        at = try Int64.time(value["at"], "\(path).at") ?? now
    }

    fileprivate var json: JSONValue {
        var members = [JSONMember("id", .string(id))]
        if let title { members.append(JSONMember(.title, .string(title))) }
        if let text { members.append(JSONMember("text", .string(text))) }
        if let rating { members.append(JSONMember("rating", .number(JSONNumber(rating)))) }
        members.append(JSONMember("at", .string(RFC3339.text(at))))
        return .object(members)
    }

    func hasSameContent(as other: Note) -> Bool {
        let (texts, others) = ([title, text], [other.title, other.text])
        return texts.map { $0.map { ExactText($0) } } == others.map { $0.map { ExactText($0) } }
            && rating == other.rating
    }
}

/// A difference that a refresh found in a member of a hit.
package struct FieldChange: Equatable, Sendable {
    package let at: Int64
    package let field: String
    package let from: JSONValue
    package let to: JSONValue

    fileprivate var bytes: Int { from.bytes.count + to.bytes.count + field.utf8.count + 64 }

    fileprivate var json: JSONValue {
        ["at": .string(RFC3339.text(at)), "field": .string(field), "from": from, "to": to]
    }
}

extension FieldChange {
    fileprivate init(value: JSONValue, path: String) throws(SearchError) {
        guard let at = value["at"]?.string.flatMap({ RFC3339.epochSeconds($0) }), let field = value["field"]?.string,
            field.utf8.count <= 64
        else { throw .invalid("A change must have a time (at) and a field.", path) }
        self.init(at: at, field: field, from: value["from"] ?? .null, to: value["to"] ?? .null)
    }
}

extension Int64 {
    fileprivate static func time(_ value: JSONValue?, _ path: String) throws(SearchError) -> Int64? {
        guard let value else { return nil }
        guard let seconds = value.string.flatMap({ RFC3339.epochSeconds($0) }) else {
            throw .invalid("It must be a time in the format of RFC 3339.", path)
        }
        return seconds
    }
}

extension SearchError {
    static func invalid(_ message: String, _ path: String, hint: String? = nil) -> SearchError {
        SearchError(.invalidParams, message, hint: hint, path: path)
    }
}

enum UserText {
    /// Returns one line in NFC without control characters, or nil if the text is too long.
    static func line(_ written: String, bytesMax: Int) -> String? {
        guard written.utf8.count <= bytesMax * 4 else { return nil }
        let text = NormalForm.line(written)
        return text.utf8.count <= bytesMax ? text : nil
    }

    /// Keeps line feeds and tabs, but no other control characters; returns nil if the text is too long.
    static func lines(_ written: String, bytesMax: Int) -> String? {
        guard written.utf8.count <= bytesMax * 4 else { return nil }
        var scalars = String.UnicodeScalarView()
        for scalar in NormalForm.composed(written) {
            let isKept = scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
            if isKept { scalars.append(scalar) }
        }
        let text = String(scalars)
        return text.utf8.count <= bytesMax ? text : nil
    }
}
