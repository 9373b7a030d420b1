import Client
import JSON
import RPC
import SearchModel
import Terminal

/// A part of the screen that covers the list until the user closes it.
enum LiveOverlay {
    case help(firstLine: Int)
    case picker(Picker)
    case prompt(ItemPrompt)
}

/// A list in which the user chooses kinds or sources.
struct Picker {
    enum Subject: String, Equatable {
        case kinds = "Kinds"
        case sources = "Sources"
    }

    let subject: Subject
    let entries: [(name: String, about: String)]
    private(set) var chosen: Set<String>
    private(set) var selected = 0
    private var hasChanged = false

    init(_ subject: Subject, _ list: JSONCursor, chosen: [String]) {
        self.subject = subject
        self.chosen = Set(chosen)
        switch subject {
        case .kinds: entries = Suggestion.kinds.candidates(in: list, prefix: "").map { ($0.word, $0.about) }
        case .sources:
            let all = (list[.sources]?.elements ?? []).map { SourceEntry($0) }
            let profiles = (list[.profiles]?.elements ?? []).compactMap { profile in
                profile[.name]?.string.map { ($0, profile[.about]?.string ?? "") }
            }
            // Sources that are off come last. Their text is their state, such as “off: no key”.
            let sorted = all.filter(\.isEnabled) + all.filter { !$0.isEnabled }
            entries = profiles + sorted.map { ($0.name, $0.isEnabled && $0.health == .ok ? $0.title : $0.state) }
        }
    }

    var title: String { "\(subject.rawValue) · Space chooses, u clears, Enter applies" }

    var names: [String] { entries.map(\.name).filter(chosen.contains) }

    mutating func select(_ index: Int?) { selected = min(max(0, index ?? selected), max(0, entries.count - 1)) }

    mutating func toggle() {
        guard entries.indices.contains(selected) else { return }
        let name = entries[selected].name
        if chosen.remove(name) == nil { chosen.insert(name) }
        hasChanged = true
    }

    mutating func chooseSelected() {
        guard !hasChanged else { return }
        chosen = []
        toggle()
    }

    mutating func clear() {
        chosen = []
        hasChanged = true
    }
}

/// The line in which the user writes the note or the tags of an item.
struct ItemPrompt {
    let isNote: Bool
    let item: HitList.Item
    let saved: JSONCursor?
    var field: TextField
    private(set) var rating = 0

    init(isNote: Bool, _ item: HitList.Item, saved: JSONCursor?) {
        (self.isNote, self.item, self.saved) = (isNote, item, saved)
        field = TextField(bytesMax: WireBounds.noteTextBytesMax, hasLines: isNote)
        field.insert(isNote ? note?[.text]?.string ?? "" : tags.map { TagList.text([$0]) + ", " }.joined())
        if isNote { rating = note?[.rating]?.int ?? 0 }
    }

    var note: JSONCursor? { saved?[.notes]?.elements.last }
    var tags: [String] { (saved?[.tags]?.elements ?? []).compactMap(\.string) }

    mutating func receive(_ input: InputEvent) {
        switch input {
        case .key(Key(.enter, hasAlt: true)) where isNote: field.insert("\n")
        case .key(Key(.up)) where isNote: rating = min(rating + 1, WireBounds.rating.upperBound)
        case .key(Key(.down)) where isNote: rating = max(rating - 1, 0)
        default: _ = field.receive(input)
        }
    }

    func label(columns: Int) -> String {
        guard isNote else { return columns < 40 ? "# " : "tags: " }
        return columns < 40 ? "★\(rating) " : "note \(rating == 0 ? "☆☆☆☆☆" : NoteText.stars(rating)) "
    }

    var keys: String {
        let rest = "Enter saves · Esc cancels"
        return isNote
            ? "a note · ↑ ↓ change stars · Alt-Enter adds a line · \(rest)" : "tags, separated by commas · \(rest)"
    }
}
