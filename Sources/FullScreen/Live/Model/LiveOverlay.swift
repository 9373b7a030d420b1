import Client
import JSON
import RPC
import SearchModel
import Terminal

/// What stands above the list until it is closed; pure.
enum LiveOverlay {
    case help(firstLine: Int)
    case picker(Picker)
    case prompt(ItemPrompt)

    /// What a key comes to.
    enum Outcome {
        /// It stays open, as it is now.
        case open(LiveOverlay)
        case closed
        case picked(Picker)
        case filled(ItemPrompt)
    }

    func received(_ input: InputEvent, columns: Int, rows: Int) -> Outcome {
        switch self {
        case .help(let firstLine): Self.help(firstLine, input, columns: columns, rows: rows)
        case .picker(let picker): Self.picker(picker, input, rows: rows)
        case .prompt(let prompt): Self.prompt(prompt, input)
        }
    }

    private static func help(_ firstLine: Int, _ input: InputEvent, columns: Int, rows: Int) -> Outcome {
        let last = max(0, LiveHelp.lines(columns: columns).count - rows + 1)
        let page = max(1, rows - 2)
        let wanted: Int
        switch LiveKeys.action(input, in: LiveKeys.list) ?? wheel(input) {
        case .down: wanted = firstLine + 1
        case .up: wanted = firstLine - 1
        case .pageDown, .halfDown: wanted = firstLine + page
        case .pageUp, .halfUp: wanted = firstLine - page
        case .top: wanted = 0
        case .bottom: wanted = last
        default: return .closed
        }
        return .open(.help(firstLine: min(max(0, wanted), last)))
    }

    private static func picker(_ picker: Picker, _ input: InputEvent, rows: Int) -> Outcome {
        var picker = picker
        switch LiveKeys.action(input, in: LiveKeys.list) ?? wheel(input) {
        case .down: picker.move(by: 1)
        case .up: picker.move(by: -1)
        case .pageDown where input == .text(" "): picker.toggle()
        case .pageDown: picker.move(by: max(1, rows - 4))
        case .pageUp: picker.move(by: -max(1, rows - 4))
        case .top: picker.move(by: -picker.entries.count)
        case .bottom: picker.move(by: picker.entries.count)
        case .open:
            picker.chooseUnlessChanged()
            return .picked(picker)
        case .undo: picker.clear()
        case .back, .quit, .kinds, .sources: return .closed
        default: break
        }
        return .open(.picker(picker))
    }

    private static func prompt(_ prompt: ItemPrompt, _ input: InputEvent) -> Outcome {
        var prompt = prompt
        switch input {
        case .key(Key(.escape)): return .closed
        case .key(Key(.enter)): return .filled(prompt)
        case .key(Key(.enter, hasAlt: true)) where prompt.subject.isNote: prompt.breakLine()
        case .key(Key(.up)) where prompt.subject.isNote: prompt.rate(by: 1)
        case .key(Key(.down)) where prompt.subject.isNote: prompt.rate(by: -1)
        default: _ = prompt.field.received(input)
        }
        return .open(.prompt(prompt))
    }

    private static func wheel(_ input: InputEvent) -> LiveAction? {
        guard case .mouse(let mouse) = input else { return nil }
        switch mouse.action {
        case .wheelDown: return .down
        case .wheelUp: return .up
        // A click closes the help, and does nothing else.
        case .click: return nil
        }
    }
}

/// What the mouse points to; pure.
enum MouseTarget: Equatable {
    case field
    case suggestions
    /// A cell of the list, from 0.
    case list(row: Int, column: Int)
    case details

    /// Nil where nothing is.
    init?(_ mouse: Mouse, _ layout: LiveLayout) {
        let details = [layout.details, layout.detailsPicture].compactMap(\.self)
        if details.contains(where: { $0.contains(row: mouse.row, column: mouse.column) }) {
            self = .details
        } else if mouse.row == 0 {
            self = .field
        } else if mouse.row == layout.secondRow {
            self = .suggestions
        } else if layout.list.contains(row: mouse.row, column: mouse.column) {
            self = .list(row: mouse.row - layout.list.row, column: mouse.column - layout.list.column)
        } else {
            return nil
        }
    }
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

    /// Of the kinds, or the sources and profiles, that the daemon lists.
    init(_ subject: Subject, ofListed result: JSONCursor, chosen: [String]) {
        let sources = (result[.sources]?.elements ?? []).map { SourceEntry($0) }.filter(\.isEnabled)
        switch subject {
        case .kinds:
            var kinds: [(name: String, about: String)] = []
            for source in sources where !kinds.contains(where: { $0.name == source.kind }) {
                let count = sources.count { $0.kind == source.kind }
                kinds.append((source.kind, FigureText.count(count, "source")))
            }
            self.init(subject, kinds.sorted { $0.name < $1.name }, chosen: chosen)
        case .sources:
            let profiles = (result[.profiles]?.elements ?? []).compactMap { profile in
                profile[.name]?.string.map { ($0, profile[.about]?.string ?? "") }
            }
            let entries = profiles + sources.map { ($0.name, $0.health == .ok ? $0.title : $0.state) }
            self.init(subject, entries, chosen: chosen)
        }
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
