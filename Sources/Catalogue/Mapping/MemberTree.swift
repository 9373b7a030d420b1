import JSON

/// All the places that the rules of a source begin at, so that one walk over an element finds them.
///
/// Rules name places by path; what their paths share is walked once, and what no rule names is passed over.
struct MemberTree: Sendable {
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
        /// Every slot below.
        var below: [Int] = []
    }

    private var levels = [Level()]
    private(set) var slotCount = 0

    /// The slot of a place, made when there is none yet.
    mutating func slot(of names: [String]) -> Int {
        var level = 0
        for (depth, name) in names.enumerated() {
            let child = child(name, of: level)
            if depth == names.count - 1 {
                if let slot = levels[level].children[child].slot { return slot }
                levels[level].children[child].slot = slotCount
            } else {
                levels[level].children[child].below.append(slotCount)
                level = levelBelow(child, of: level)
            }
        }
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

    /// Puts what an element has into the slots; of a repeated name the last one counts.
    func collect(_ element: JSONCursor, into slots: inout [JSONCursor?]) {
        collect(element, level: 0, into: &slots)
    }

    private func collect(_ element: JSONCursor, level: Int, into slots: inout [JSONCursor?]) {
        element.forEachMember(named: levels[level].index) { place, value in
            let child = levels[level].children[place]
            if let slot = child.slot { slots[slot] = value }
            guard let next = child.level else { return }
            for slot in child.below { slots[slot] = nil }
            collect(value, level: next, into: &slots)
        }
    }
}
