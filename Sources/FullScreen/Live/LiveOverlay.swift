import Client
import JSON
import RPC
import SearchModel
import Terminal

/// What covers the list until it is closed.
enum LiveOverlay {
    case help(firstLine: Int)
    case picker(Picker)
    case prompt(ItemPrompt)
}

/// A list of kinds or sources from which the user chooses some.
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

    /// `list` is the answer of `source/list`.
    init(_ subject: Subject, _ list: JSONCursor, chosen: [String]) {
        self.subject = subject
        self.chosen = Set(chosen)
        let sources = (list[.sources]?.elements ?? []).map { SourceEntry($0) }.filter(\.isEnabled)
        switch subject {
        case .kinds:
            let kinds = Dictionary(grouping: sources, by: \.kind).mapValues(\.count)
            entries = kinds.sorted { $0.key < $1.key }.map { ($0.key, FigureText.count($0.value, "source")) }
        case .sources:
            let profiles = (list[.profiles]?.elements ?? []).compactMap { profile in
                profile[.name]?.string.map { ($0, profile[.about]?.string ?? "") }
            }
            entries = profiles + sources.map { ($0.name, $0.health == .ok ? $0.title : $0.state) }
        }
    }

    var title: String { "\(subject.rawValue) · Space chooses, u clears, Enter applies" }

    /// The chosen names, in the order of the list.
    var names: [String] { entries.map(\.name).filter(chosen.contains) }

    mutating func move(by count: Int) { selected = min(max(0, selected + count), max(0, entries.count - 1)) }

    mutating func toggle() {
        guard entries.indices.contains(selected) else { return }
        let name = entries[selected].name
        if chosen.remove(name) == nil { chosen.insert(name) }
        hasChanged = true
    }

    /// Chooses only the selected entry, unless the user has chosen with Space.
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

/// A line in which the user writes a note, with stars, or tags.
struct ItemPrompt {
    enum Subject: Equatable {
        /// A note; `id` and `title` of the replaced one, nil for a new note.
        case note(id: String?, title: String?)
        /// Tags; the item has these now.
        case tags([String])

        var isNote: Bool { if case .note = self { true } else { false } }
    }

    let subject: Subject
    let item: HitList.Item
    let isSaved: Bool
    var field: TextField
    private(set) var rating = 0
    /// The replaced note; empty for a new one.
    let original: (text: String, rating: Int)

    /// `saved` is the item of the library; nil if it is not saved.
    init(noteOf item: HitList.Item, saved: JSONCursor?) {
        let note = saved?[.notes]?.elements.last
        subject = .note(id: note?[.id]?.string, title: note?[.title]?.string)
        (self.item, isSaved) = (item, saved != nil)
        original = (note?[.text]?.string ?? "", note?[.rating]?.int ?? 0)
        rating = original.rating
        field = TextField(original.text, bytesMax: WireBounds.noteTextBytesMax, hasLines: true)
    }

    init(tagsOf item: HitList.Item, saved: JSONCursor?) {
        let tags = (saved?[.tags]?.elements ?? []).compactMap(\.string)
        subject = .tags(tags)
        (self.item, isSaved) = (item, saved != nil)
        original = ("", 0)
        field = TextField(tags.map { TagList.text([$0]) + ", " }.joined())
    }

    /// Handles a key that neither ends nor cancels it.
    mutating func receive(_ input: InputEvent) {
        switch input {
        case .key(Key(.enter, hasAlt: true)) where subject.isNote: field.insert("\n")
        case .key(Key(.up)) where subject.isNote: rating = min(rating + 1, WireBounds.rating.upperBound)
        case .key(Key(.down)) where subject.isNote: rating = max(rating - 1, 0)
        default: _ = field.receive(input)
        }
    }

    func label(columns: Int) -> String {
        switch subject {
        case .note where columns < 40: "★\(rating) "
        case .note: "note \(rating == 0 ? "☆☆☆☆☆" : NoteText.stars(rating)) ↑↓ "
        case .tags: columns < 40 ? "# " : "tags, with commas: "
        }
    }
}
