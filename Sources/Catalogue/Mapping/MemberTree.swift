import JSON

/// All the places that the rules of a source begin at, so that one walk over an element finds them.
///
/// Rules name places by path; what their paths share is walked once, and what no rule names is passed over.
struct MemberTree: Sendable {
    /// In a slot: the element has no such value.
    static let nothing = -1

    private struct Level: Sendable {
        var names: [String] = []
        var index = JSONNames([])
        var children: [Child] = []
    }

    private struct Child: Sendable {
        /// Where the value itself is put; nil when only what is below is asked for.
        var slot: Int?
        /// The level below, by its place in `levels`.
        var level: Int?
    }

    private var levels = [Level()]
    private(set) var slotCount = 0

    /// The slot of a place, made when there is none yet.
    mutating func slot(of names: [String]) -> Int {
        var level = 0
        for name in names.dropLast() { level = levelBelow(child(name, of: level), of: level) }
        let child = child(names.last ?? "", of: level)
        if let slot = levels[level].children[child].slot { return slot }
        levels[level].children[child].slot = slotCount
        slotCount += 1
        return slotCount - 1
    }

    private mutating func child(_ name: String, of level: Int) -> Int {
        if let known = levels[level].names.firstIndex(of: name) { return known }
        levels[level].names.append(name)
        levels[level].index = JSONNames(levels[level].names)
        levels[level].children.append(Child())
        return levels[level].children.count - 1
    }

    private mutating func levelBelow(_ child: Int, of level: Int) -> Int {
        if let known = levels[level].children[child].level { return known }
        levels.append(Level())
        levels[level].children[child].level = levels.count - 1
        return levels.count - 1
    }

    /// Puts the places of what an element has into the slots, which hold nothing yet.
    func collect(_ element: Int, of document: JSONView, into slots: inout [Int]) {
        collect(element, of: document, level: 0, into: &slots)
    }

    private func collect(_ element: Int, of document: JSONView, level: Int, into slots: inout [Int]) {
        document.forEachMember(of: element, named: levels[level].index) { name, value in
            let child = levels[level].children[name]
            if let slot = child.slot { slots[slot] = value }
            guard let below = child.level else { return }
            // Of a repeated name the last one counts, with all that is in it.
            clear(below, of: &slots)
            collect(value, of: document, level: below, into: &slots)
        }
    }

    private func clear(_ level: Int, of slots: inout [Int]) {
        for child in levels[level].children {
            if let slot = child.slot { slots[slot] = Self.nothing }
            if let below = child.level { clear(below, of: &slots) }
        }
    }
}
