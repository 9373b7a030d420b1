import JSON

/// One change of a library, as a client asks for it.
enum LibraryChange: Equatable {
    case save([String], tag: String)
    case note(String, text: String)
    case tag([String], tag: String)
    case remove([String])

    private static let keysMax = 20

    /// Chooses what a client asks for next, of items of its own.
    ///
    /// - Parameters:
    ///   - client: Whose.
    ///   - number: Different for each change, so that its effect can be recognised.
    ///   - items: What the client has saved.
    ///   - numbers: Decide on it.
    /// - Returns: A change that the daemon must accept.
    static func random(
        of client: Int,
        _ number: Int,
        among items: LibraryItems,
        _ numbers: inout SeededNumbers
    ) -> LibraryChange {
        let saved = items.keys.sorted()
        func one() -> String { saved[min(saved.count - 1, Int(numbers.unit() * Double(saved.count)))] }
        func several() -> [String] { Array(Set([one(), one(), one()])).sorted() }
        let choice = numbers.unit()
        if saved.isEmpty || choice < 0.4 {
            let keys = (0..<3).map { _ in Int(numbers.unit() * Double(keysMax)) }
            return .save(Set(keys).sorted().map { id(client, $0) }, tag: "t\(number % 50)")
        }
        if choice < 0.6 { return .note(one(), text: "n\(number)") }
        return choice < 0.8 ? .tag(several(), tag: "t\(number % 50)") : .remove(several())
    }

    static func id(_ client: Int, _ key: Int) -> String { "bench.client\(client):\(key)" }

    /// The client that saved an item; nil for an id that no client gives.
    static func client(of id: String) -> Int? {
        let name = id.utf8.dropFirst("bench.client".utf8.count).prefix { $0 != UInt8(ascii: ":") }
        return Int(String(name) ?? "")
    }

    /// The request, as one line.
    func line(id number: Int) -> [UInt8] {
        switch self {
        case .save(let ids, let tag):
            let items = ids.map { id in
                let source = String(id.utf8.prefix { $0 != UInt8(ascii: ":") }) ?? ""
                return #"{"id":"\#(id)","source":"\#(source)","kind":"book","title":"고양이 \#(id)"}"#
            }
            return Wire.request(
                number,
                "library/save",
                #"{"items":[\#(items.joined(separator: ","))],"tags":["\#(tag)"]}"#
            )
        case .note(let id, let text):
            return Wire.request(number, "library/note", #"{"id":"\#(id)","note":{"text":"\#(text)"}}"#)
        case .tag(let ids, let tag):
            return Wire.request(number, "library/tag", #"{"ids":[\#(Self.list(ids))],"add":["\#(tag)"]}"#)
        case .remove(let ids): return Wire.request(number, "library/remove", #"{"ids":[\#(Self.list(ids))]}"#)
        }
    }

    private static func list(_ ids: [String]) -> String { ids.map { "\"\($0)\"" }.joined(separator: ",") }
}

/// Saved items by id, as far as changes can alter them.
typealias LibraryItems = [String: LibraryItem]

/// What users have added to an item.
struct LibraryItem: Equatable {
    var tags: [String] = []
    var notes: [String] = []
}

extension LibraryItems {
    /// As they are after a change.
    func after(_ change: LibraryChange) -> LibraryItems {
        var items = self
        switch change {
        case .save(let ids, let tag), .tag(let ids, let tag):
            for id in ids where items[id]?.tags.contains(tag) != true {
                items[id, default: LibraryItem()].tags.append(tag)
            }
        case .note(let id, let text): items[id]?.notes.append(text)
        case .remove(let ids): for id in ids { items[id] = nil }
        }
        return items
    }

    /// Those of an answer.
    init(_ list: JSONCursor?) {
        self.init()
        list?.forEachElement { item in
            guard let id = item["id"]?.string else { return }
            var (tags, notes): ([String], [String]) = ([], [])
            item["tags"]?.forEachElement { tags.append($0.string ?? "") }
            item["notes"]?.forEachElement { notes.append($0["text"]?.string ?? "") }
            self[id] = LibraryItem(tags: tags, notes: notes)
        }
    }
}
