import JSON

/// What one element after the other of a document has at the places that the rules begin at.
///
/// An object, since every rule looks into it.
struct Members: ~Copyable {
    let document: JSONView
    private let tree: MemberTree
    private var element = 0
    /// Places of values; `MemberTree.nothing` where the element has none.
    private var slots: [Int]

    init(of document: JSONView, tree: MemberTree) {
        self.document = document
        self.tree = tree
        slots = [Int](repeating: MemberTree.nothing, count: tree.slotCount)
    }

    /// Forgets the element before and walks the one at a place.
    mutating func move(to element: Int) {
        self.element = element
        for slot in slots.indices { slots[slot] = MemberTree.nothing }
        tree.collect(element, of: document, into: &slots)
    }

    /// The place of what stands in a slot; nil when the element has no such value.
    func place(at slot: Int) -> Int? {
        slots[slot] == MemberTree.nothing ? nil : slots[slot]
    }

    /// The place of the string in a slot; nil when there is none, or an empty one.
    func string(at slot: Int) -> Int? {
        guard let place = place(at: slot), document.kind(at: place) == .string, document.range(at: place).count > 2
        else { return nil }
        return place
    }

    /// What a path leads to; several places make a list.
    func value(_ path: CompiledRule.Path) -> MappedValue? {
        let start = path.slot.map { slots[$0] } ?? element
        guard start != MemberTree.nothing else { return nil }
        if path.rest.isEmpty { return MappedValue(start, in: document) }
        if path.isMany {
            let places = FieldPath.all(path.rest[...], from: start, of: document)
            return MappedValue(list: places.compactMap { MappedValue($0, in: document) }, in: document)
        }
        return FieldPath.first(path.rest[...], from: start, of: document).flatMap { MappedValue($0, in: document) }
    }
}
