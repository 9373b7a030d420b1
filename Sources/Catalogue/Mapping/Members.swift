import JSON

/// What one element has at the places that the rules begin at.
struct Members {
    private let element: JSONCursor
    private var slots: [JSONCursor?]

    init(_ element: JSONCursor, tree: MemberTree) {
        self.element = element
        slots = [JSONCursor?](repeating: nil, count: tree.slotCount)
        tree.collect(element, into: &slots)
    }

    /// What a path leads to; several places make a list.
    func value(_ path: CompiledRule.Path) -> MappedValue? {
        let start = path.slot.map { slots[$0] } ?? element
        guard let start else { return nil }
        if path.rest.isEmpty { return MappedValue(start) }
        if path.isMany {
            return MappedValue(list: FieldPath.all(from: start, path.rest[...]).compactMap { MappedValue($0) })
        }
        return FieldPath.first(from: start, path.rest[...]).flatMap { MappedValue($0) }
    }
}
