import JSON

/// The members at which the rules of a source begin, so that one walk over an element finds them all.
///
/// Rules name members by path; what their paths share is walked once, and what no rule names is skipped.
struct MemberTree: Sendable {
    /// In a slot: the element has no such value.
    static let nothing = -1

    /// The name that leads to each slot, and the object that it is a member of: the element itself is the first.
    private var names: [(group: Int, text: String)] = []
    /// The object that the value of each slot is, where rules ask for what is in it; else nothing.
    private var below: [Int] = []
    private var levelCount = 1
    private var index = JSONNames([String]())

    /// How many values there are, each with a slot of its own.
    var slotCount: Int { below.count }

    /// Adds the value that some names lead to and returns its slot, which is filled once the tree is sealed.
    mutating func slot(of path: [String]) -> Int {
        var slot = Self.nothing
        var level = 0
        for name in path {
            if slot != Self.nothing { level = levelBelow(slot) }
            slot = member(name, of: level)
        }
        return slot
    }

    private mutating func member(_ name: String, of level: Int) -> Int {
        if let known = names.firstIndex(where: { $0.group == level && $0.text == name }) { return known }
        names.append((group: level, text: name))
        below.append(Self.nothing)
        return below.count - 1
    }

    private mutating func levelBelow(_ slot: Int) -> Int {
        if below[slot] == Self.nothing {
            below[slot] = levelCount
            levelCount += 1
        }
        return below[slot]
    }

    /// Makes the members ready to be found.
    mutating func seal() {
        index = JSONNames(names)
    }

    /// Puts the indices of the values that an element has into the slots, which are empty.
    func collect(_ element: Int, of document: JSONView, into slots: inout [Int]) {
        precondition(slots.count == slotCount)
        // The buffer is written within the call only.
        unsafe slots.withUnsafeMutableBufferPointer { slots in
            unsafe collect(element, of: document, level: 0, into: slots)
        }
    }

    private func collect(_ object: Int, of document: JSONView, level: Int, into slots: UnsafeMutableBufferPointer<Int>)
    {
        document.forEachMember(of: object, named: index, group: level) { slot, value in
            // Accessing `below` has checked the slot, and there are as many slots.
            let level = below[slot]
            // Of a repeated name the last one counts, with all that is in it.
            if level != Self.nothing, unsafe slots[slot] != Self.nothing { unsafe clear(level, of: slots) }
            unsafe slots[slot] = value
            if level != Self.nothing { unsafe collect(value, of: document, level: level, into: slots) }
        }
    }

    private func clear(_ level: Int, of slots: UnsafeMutableBufferPointer<Int>) {
        for slot in names.indices where names[slot].group == level {
            // There are as many slots as names.
            unsafe slots[slot] = Self.nothing
            if below[slot] != Self.nothing { unsafe clear(below[slot], of: slots) }
        }
    }
}
