import JSON

/// The items that a library should contain.
struct LibraryState: Equatable {
    struct Item: Equatable {
        var tags: [String] = []
        var notes: [String] = []
    }

    var items: [String: Item] = [:]

    init() {}

    init(_ list: JSONCursor?) {
        for item in list?.elements ?? [] {
            let tags = item["tags"]?.elements.compactMap(\.string) ?? []
            let notes = item["notes"]?.elements.compactMap { $0["text"]?.string } ?? []
            if let id = item["id"]?.string { items[id] = Item(tags: tags, notes: notes) }
        }
    }

    mutating func apply(_ change: LibraryChange) {
        switch change {
        case .save(let ids, let tag), .tag(let ids, let tag):
            for id in ids where items[id]?.tags.contains(tag) != true { items[id, default: Item()].tags.append(tag) }
        case .note(let id, let text): items[id]?.notes.append(text)
        case .remove(let ids): for id in ids { items[id] = nil }
        }
    }
}

enum LibraryChange {
    case save([String], tag: String)
    case tag([String], tag: String)
    case note(String, text: String)
    case remove([String])

    static func random(of client: Int, _ number: Int, in state: LibraryState, _ numbers: inout SeededNumbers) -> Self {
        let saved = state.items.keys.sorted()
        let choice = Int.random(in: 0..<10, using: &numbers)
        guard let one = saved.randomElement(using: &numbers), choice >= 4 else {
            let keys = Set((0..<3).map { _ in Int.random(in: 0..<20, using: &numbers) })
            return .save(keys.sorted().map { "bench.client\(client):\($0)" }, tag: "t\(number % 50)")
        }
        let several = Array(saved.shuffled(using: &numbers).prefix(3))
        if choice < 6 { return .note(one, text: "n\(number)") }
        return choice < 8 ? .tag(several, tag: "t\(number % 50)") : .remove(several)
    }

    func request(_ id: Int) -> [UInt8] {
        func list(_ ids: [String]) -> String { ids.map { "\"\($0)\"" }.joined(separator: ",") }
        switch self {
        case .save(let ids, let tag):
            let items = ids.map { id in
                #"{"id":"\#(id)","source":"\#(id.prefix { $0 != ":" })","kind":"book","title":"고양이 \#(id)"}"#
            }
            let params = #"{"items":[\#(items.joined(separator: ","))],"tags":["\#(tag)"]}"#
            return Wire.request(id, "library/save", params)
        case .tag(let ids, let tag):
            return Wire.request(id, "library/tag", #"{"ids":[\#(list(ids))],"add":["\#(tag)"]}"#)
        case .note(let item, let text):
            return Wire.request(id, "library/note", #"{"id":"\#(item)","note":{"text":"\#(text)"}}"#)
        case .remove(let ids): return Wire.request(id, "library/remove", #"{"ids":[\#(list(ids))]}"#)
        }
    }
}

/// Computes the state of a library from the notifications of its changes.
///
/// If `problems` is empty, `state` is the library at `revision`.
struct LibraryFollower {
    private(set) var revision = 0
    private(set) var state = LibraryState()
    private(set) var problems: [String] = []

    mutating func resume(_ answer: JSONCursor) {
        let now = answer["revision"]?.int ?? -1
        if now < revision { problems.append("resumed at revision \(now) after \(revision)") }
        revision = now
        if let all = answer["items"] { state = LibraryState(all) } else { apply(answer) }
    }

    mutating func receive(_ notice: JSONCursor) {
        let now = notice["revision"]?.int ?? -1
        let (inserted, updated) = (LibraryState(notice["inserted"]).items, LibraryState(notice["updated"]).items)
        if now <= revision { problems.append("revision \(now) after \(revision)") }
        if notice["reset"]?.bool == true { problems.append("reset at revision \(now)") }
        problems += inserted.keys.filter { state.items[$0] != nil }.map { "\($0) was inserted twice" }
        problems += updated.keys.filter { state.items[$0] == nil }.map { "\($0) changed before it was inserted" }
        revision = now
        apply(notice)
    }

    private mutating func apply(_ change: JSONCursor) {
        for id in change["deleted"]?.elements ?? [] { if let id = id.string { state.items[id] = nil } }
        for member in ["inserted", "updated"] { state.items.merge(LibraryState(change[member]).items) { $1 } }
    }
}
