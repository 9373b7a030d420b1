package import JSON

/// A hit that a user has saved, with what the user has added to it.
package struct SavedItem: Equatable, Sendable {
    package static let tagsMax = 64
    package static let notesMax = 100
    /// Of the changes that refreshes found the latest are kept.
    package static let changesMax = 100
    package static let bytesMax = 256 << 10

    package let hit: SavedHit
    /// Seconds since 1970, as all times here.
    package var savedAt: Int64
    package var updatedAt: Int64
    /// In the order in which they were added.
    package var tags: [Tag]
    package var notes: [Note]
    package var changes: [FieldChange]

    package var id: String { hit.id }

    /// About as many as its JSON has, or more.
    package var bytes: Int {
        let own = notes.reduce(0) { $0 + $1.bytes } + changes.reduce(0) { $0 + $1.bytes }
        return hit.bytes.count + own + tags.reduce(128) { $0 + $1.text.utf8.count + 3 }
    }

    package init(
        _ hit: SavedHit,
        savedAt: Int64,
        updatedAt: Int64? = nil,
        tags: [Tag] = [],
        notes: [Note] = [],
        changes: [FieldChange] = []
    ) {
        self.hit = hit
        self.savedAt = savedAt
        self.updatedAt = updatedAt ?? savedAt
        self.tags = tags
        self.notes = notes
        self.changes = changes
    }

    /// The same with another state of its hit.
    package func with(_ hit: SavedHit) -> SavedItem {
        SavedItem(hit, savedAt: savedAt, updatedAt: updatedAt, tags: tags, notes: notes, changes: changes)
    }

    /// What it is searched by, the title first.
    var texts: [String] {
        hit.texts + notes.flatMap { [$0.title, $0.text].compactMap(\.self) } + tags.map(\.text)
    }

    /// The best rating among its notes.
    package var rating: Int? { notes.compactMap(\.rating).max() }
}

/// A word that a user files items under.
///
/// Invariant: NFC, no blanks at the ends, no control characters, 1 to `bytesMax` bytes. Two are the same when they
/// differ in case only.
package struct Tag: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 64

    package let text: String
    private let key: ExactText

    /// Fails when nothing is left of the text, or too much.
    package init?(_ written: String) {
        guard let text = UserText.line(written, bytesMax: Self.bytesMax), !text.isEmpty else { return nil }
        self.text = text
        key = ExactText(text.lowercased())
    }

    package var description: String { text }

    /// The same for tags that are the same.
    var folded: String { key.text }

    package static func == (left: Tag, right: Tag) -> Bool { left.key == right.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// What a user wrote about an item.
package struct Note: Equatable, Sendable {
    package static let titleBytesMax = 256
    package static let textBytesMax = 16 << 10
    package static let ratings = 1...5
    package static let idBytesMax = 64

    package internal(set) var id: String
    package var title: String?
    package var text: String?
    package var rating: Int?
    package var at: Int64

    /// About as many as its JSON has.
    fileprivate var bytes: Int { (title?.utf8.count ?? 0) + (text?.utf8.count ?? 0) + id.utf8.count + 96 }

    /// Text from outside is compared by its bytes.
    package static func == (left: Note, right: Note) -> Bool {
        left.id.hasSameBytes(as: right.id) && left.at == right.at && left.saysSame(as: right)
    }

    /// Whether it says the same, whenever it was written.
    package func saysSame(as other: Note) -> Bool {
        let (texts, others) = ([title, text], [other.title, other.text])
        return texts.map { $0.map { ExactText($0) } } == others.map { $0.map { ExactText($0) } }
            && rating == other.rating
    }
}

/// What a refresh found to be different.
package struct FieldChange: Equatable, Sendable {
    package let at: Int64
    package let field: String
    package let from: JSONValue
    package let to: JSONValue

    fileprivate var bytes: Int { from.bytes.count + to.bytes.count + field.utf8.count + 64 }

    package static func == (left: FieldChange, right: FieldChange) -> Bool {
        left.at == right.at && left.field.hasSameBytes(as: right.field) && left.from.bytes == right.from.bytes
            && left.to.bytes == right.to.bytes
    }
}
