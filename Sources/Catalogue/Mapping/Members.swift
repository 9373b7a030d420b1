import JSON

/// The members of one element that some rule asks for, found in one walk.
struct Members {
    private let element: JSONCursor
    private var cursors: [JSONCursor?]

    init(_ element: JSONCursor, slots: [String]) {
        self.element = element
        var cursors = [JSONCursor?](repeating: nil, count: slots.count)
        element.forEachMember { name, value in
            if let slot = slots.firstIndex(of: name) { cursors[slot] = value }
        }
        self.cursors = cursors
    }

    /// What a path leads to; several places make a list.
    func value(_ path: CompiledRule.Path) -> MappedValue? {
        guard let start = path.slot.map({ cursors[$0] }) ?? element else { return nil }
        if path.rest.isEmpty { return MappedValue(start) }
        if path.isMany {
            return MappedValue(list: FieldPath.all(from: start, path.rest[...]).compactMap { MappedValue($0) })
        }
        return FieldPath.first(from: start, path.rest[...]).flatMap { MappedValue($0) }
    }
}
