import JSON
import RPC
import SearchModel
import Terminal

/// What stands above the list until it is closed; pure.
enum LiveOverlay {
    case help(firstLine: Int)
    case picker(Picker)
    case prompt(ItemPrompt)
}

/// A list of which some are chosen; pure.
struct Picker {
    enum Subject: Equatable {
        case kinds
        case sources
    }

    let subject: Subject
    let entries: [(name: String, about: String)]
    private(set) var chosen: Set<String>
    private(set) var selected = 0
    private var hasChanged = false

    init(_ subject: Subject, _ entries: [(name: String, about: String)], chosen: [String]) {
        self.subject = subject
        self.entries = entries
        self.chosen = Set(chosen)
    }

    var title: String {
        switch subject {
        case .kinds: "Kinds · Space chooses, u none, Enter applies"
        case .sources: "Sources · Space chooses, u none, Enter applies"
        }
    }

    /// In the order of the list.
    var names: [String] { entries.map(\.name).filter(chosen.contains) }

    mutating func move(by count: Int) { selected = min(max(0, selected + count), max(0, entries.count - 1)) }

    mutating func toggle() {
        guard entries.indices.contains(selected) else { return }
        let name = entries[selected].name
        if chosen.remove(name) == nil { chosen.insert(name) }
        hasChanged = true
    }

    /// Enter alone means the one it stands on, and no other.
    mutating func chooseUnlessChanged() {
        guard !hasChanged else { return }
        chosen = []
        toggle()
    }

    mutating func clear() {
        chosen = []
        hasChanged = true
    }
}

/// One line that is asked for: a note with its stars, or tags; pure.
struct ItemPrompt {
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

    init(_ subject: Subject, _ item: HitList.Item, isSaved: Bool, text: String = "", rating: Int = 0) {
        self.subject = subject
        self.item = item
        self.isSaved = isSaved
        self.rating = rating
        original = subject == .note(replacing: nil) || !subject.isNote ? nil : (text, rating)
        field = TextField(text, bytesMax: subject.isNote ? WireBounds.noteTextBytesMax : SearchQuery.bytesMax)
    }

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
