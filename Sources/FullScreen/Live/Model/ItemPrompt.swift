import Client
import JSON
import RPC
import SearchModel
import Terminal

/// One line that is asked for: a note with its stars, or tags; pure.
struct ItemPrompt {
    private static let lineSigns = ["↵", "⏎", "␤"]

    enum Subject: Equatable {
        /// The id of the note that it replaces; nil for a new one.
        case note(replacing: String?)
        /// The tags that it has.
        case tags([String])
    }

    let subject: Subject
    let item: HitList.Item
    let isSaved: Bool
    var field: TextField
    private(set) var rating: Int
    /// The note that was there; nil without one.
    let original: (text: String, rating: Int)?
    /// The note's, which stays.
    let title: String?
    /// Stands for an end of line of a note.
    private let lineSign: String

    private init(
        _ subject: Subject,
        _ item: HitList.Item,
        isSaved: Bool,
        title: String? = nil,
        text: String = "",
        rating: Int = 0
    ) {
        // One that the text does not have.
        let sign = Self.lineSigns.first { sign in !text.unicodeScalars.contains { String($0) == sign } } ?? "\n"
        lineSign = sign
        self.title = title
        self.subject = subject
        self.item = item
        self.isSaved = isSaved
        self.rating = rating
        original = subject == .note(replacing: nil) || !subject.isNote ? nil : (text, rating)
        let line = text.unicodeScalars.map { $0 == "\n" ? sign : String($0) }.joined()
        field = TextField(line, bytesMax: subject.isNote ? WireBounds.noteTextBytesMax : SearchQuery.bytesMax)
    }

    /// For a note of an item; `saved` is the library's item, nil when it is not saved.
    static func note(of item: HitList.Item, saved: JSONCursor?) -> ItemPrompt {
        let note = saved?[.notes]?.elements.last
        return ItemPrompt(
            .note(replacing: note?[.id]?.string),
            item,
            isSaved: saved != nil,
            title: note?[.title]?.string,
            text: note?[.text]?.string ?? "",
            rating: note?[.rating]?.int ?? 0
        )
    }

    /// For the tags of an item; `saved` is the library's item, nil when it is not saved.
    static func tags(of item: HitList.Item, saved: JSONCursor?) -> ItemPrompt {
        let tags = (saved?[.tags]?.elements ?? []).compactMap(\.string)
        let text = tags.map { TagList.text([$0]) + ", " }.joined()
        return ItemPrompt(.tags(tags), item, isSaved: saved != nil, text: text)
    }

    /// What has been written, with its ends of lines.
    var text: String { field.text.unicodeScalars.map { String($0) == lineSign ? "\n" : String($0) }.joined() }

    /// Whether nothing is left of it.
    var isEmpty: Bool { field.isEmpty && rating == 0 }

    /// Begins another line of a note.
    mutating func breakLine() { field.insert(lineSign) }

    mutating func rate(by count: Int) { rating = min(max(0, rating + count), WireBounds.rating.upperBound) }

    /// Short on a narrow screen.
    func label(columns: Int) -> String {
        switch subject {
        case .note where columns < 40: "★\(rating) "
        case .note: "note \(rating == 0 ? "☆☆☆☆☆" : NoteText.stars(rating)) ↑↓ "
        case .tags: columns < 40 ? "# " : "tags, with commas: "
        }
    }
}

extension ItemPrompt.Subject {
    var isNote: Bool { if case .note = self { true } else { false } }
}
