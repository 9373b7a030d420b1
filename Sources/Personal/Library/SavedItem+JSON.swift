package import JSON
package import SearchModel

/// An item as the contract spells it, which is also how it is kept.
extension SavedItem {
    package var json: JSONValue { .object(hit.members + ownMembers) }

    /// The bytes of `json`; the hit, which is most of it, has its own at hand.
    package var jsonBytes: [UInt8] {
        // Neither object is empty.
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

    /// Reads an ITEM, or a HIT as it is saved now.
    ///
    /// - Throws: `invalidParams` with the path of what is wrong.
    package init(_ value: JSONValue, savedNow now: Int64, path: String) throws(SearchError) {
        let hit = try SavedHit(value, path: path)
        let savedAt = try FieldReader.time(value["savedAt"], "\(path).savedAt") ?? now
        let updatedAt = try FieldReader.time(value["updatedAt"], "\(path).updatedAt")
        self.init(hit, savedAt: savedAt, updatedAt: updatedAt)
        let tags = try FieldReader.list(value["tags"], "\(path).tags", max: Self.tagsMax)
        for (index, tag) in tags.enumerated() {
            try add(tag: try Tag(value: tag, path: "\(path).tags[\(index)]"), path: "\(path).tags")
        }
        let notes = try FieldReader.list(value["notes"], "\(path).notes", max: Self.notesMax)
        for (index, note) in notes.enumerated() {
            let read = try Note(value: note, number: index, now: now, path: "\(path).notes[\(index)]")
            guard !self.notes.contains(where: { $0.id.hasSameBytes(as: read.id) }) else {
                throw SearchError(
                    .invalidParams,
                    "Another note of the item has the same id.",
                    hint: "Give each note an id of its own, or none.",
                    path: "\(path).notes[\(index)].id"
                )
            }
            self.notes.append(read)
        }
        let changes = try FieldReader.list(value["changes"], "\(path).changes", max: Self.changesMax)
        for (index, change) in changes.enumerated() {
            self.changes.append(try FieldChange(value: change, path: "\(path).changes[\(index)]"))
        }
        try checkSize(path: path)
    }

    /// The title of an item as it is kept.
    static func title(of item: JSONCursor) -> String { item["title"]?.string ?? "" }

    /// The `texts` of an item as it is kept but for its title: without reading the rest, which takes several times as
    /// long.
    static func otherTexts(of item: JSONCursor) -> [String] {
        var texts: [String] = []
        func add(_ value: JSONCursor?) { if let text = value?.string { texts.append(text) } }
        add(item["snippet"])
        add(item["author"])
        item["notes"]?.forEachElement { note in
            add(note["title"])
            add(note["text"])
        }
        item["tags"]?.forEachElement { add($0) }
        return texts
    }

    /// - Throws: `invalidParams` when it has more bytes than an item may.
    func checkSize(path: String) throws(SearchError) {
        guard bytes > Self.bytesMax else { return }
        throw SearchError(
            .invalidParams,
            "An item has at most \(Self.bytesMax >> 10) KiB with its notes.",
            hint: "Shorten or remove notes.",
            path: path
        )
    }

    /// The id of a note that is added.
    ///
    /// - Throws: `invalidParams` when there are too many.
    func nextNoteID() throws(SearchError) -> String {
        guard notes.count < Self.notesMax else {
            throw SearchError(
                .invalidParams,
                "An item has at most \(Self.notesMax) notes.",
                hint: "Remove one first, or replace one by its id.",
                path: "params.note"
            )
        }
        return "\((notes.compactMap { Int($0.id) }.max() ?? 0) + 1)"
    }

    /// Adds a tag unless it is there.
    ///
    /// - Throws: `invalidParams` when there are too many.
    package mutating func add(tag: Tag, path: String) throws(SearchError) {
        guard !tags.contains(tag) else { return }
        guard tags.count < Self.tagsMax else {
            throw SearchError(
                .invalidParams,
                "An item has at most \(Self.tagsMax) tags.",
                hint: "Remove one first.",
                path: path
            )
        }
        tags.append(tag)
    }
}

extension Tag {
    package init(value: JSONValue, path: String) throws(SearchError) {
        guard let tag = value.string.flatMap(Tag.init) else {
            throw SearchError(.invalidParams, "A tag is a text of 1 to \(Self.bytesMax) bytes.", path: path)
        }
        self = tag
    }
}

extension Note {
    fileprivate var json: JSONValue {
        var members = [JSONMember("id", .string(id))]
        if let title { members.append(JSONMember(.title, .string(title))) }
        if let text { members.append(JSONMember("text", .string(text))) }
        if let rating { members.append(JSONMember("rating", .number(JSONNumber(rating)))) }
        members.append(JSONMember("at", .string(RFC3339.text(at))))
        return .object(members)
    }

    /// Reads a note of an item; one without an id gets its number.
    fileprivate init(value: JSONValue, number: Int, now: Int64, path: String) throws(SearchError) {
        let draft = try NoteDraft(value, path: path)
        let at = try FieldReader.time(value["at"], "\(path).at")
        self = draft.note(id: draft.id ?? "\(number + 1)", at: at ?? now)
    }
}

extension FieldChange {
    fileprivate var json: JSONValue {
        ["at": .string(RFC3339.text(at)), "field": .string(field), "from": from, "to": to]
    }

    fileprivate init(value: JSONValue, path: String) throws(SearchError) {
        guard let at = value["at"]?.string.flatMap({ RFC3339.epochSeconds($0) }), let field = value["field"]?.string,
            field.utf8.count <= 64
        else {
            throw SearchError(.invalidParams, "A change has a time (at) and a field.", path: path)
        }
        self.init(at: at, field: field, from: value["from"] ?? .null, to: value["to"] ?? .null)
    }
}

/// Reads optional members.
private enum FieldReader {
    static func time(_ value: JSONValue?, _ path: String) throws(SearchError) -> Int64? {
        guard let value else { return nil }
        guard let seconds = value.string.flatMap({ RFC3339.epochSeconds($0) }) else {
            throw SearchError(.invalidParams, "It must be a time as RFC 3339 writes it.", path: path)
        }
        return seconds
    }

    static func list(_ value: JSONValue?, _ path: String, max: Int) throws(SearchError) -> [JSONValue] {
        guard let value else { return [] }
        guard let list = value.array, list.count <= max else {
            throw SearchError(.invalidParams, "It must be a list of at most \(max).", path: path)
        }
        return list
    }
}
