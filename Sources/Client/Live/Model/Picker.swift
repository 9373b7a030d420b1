import JSON
import RPC
import SearchModel

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
