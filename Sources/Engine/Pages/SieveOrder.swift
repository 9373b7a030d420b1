/// The order of eviction after SIEVE: a queue of slots, a hand that moves from old to new, and a mark for the used
/// ones.
///
/// A slot that was used since the hand last passed is spared once and stays where it is; so a scan of keys that are
/// not asked for again passes through without driving out the popular ones.
///
/// Invariant: the linked slots form one list from `newest` to `oldest`, and `hand` is one of them, or nil.
struct SieveOrder {
    private struct Link {
        var newer: Int32
        var older: Int32
        var used: Bool
    }

    private static let none: Int32 = -1

    private var links: [Link] = []
    private var newest = none
    private var oldest = none
    private var hand = none

    /// Links a slot as the newest.
    ///
    /// Slots are numbered by the caller, from 0, densely.
    mutating func insert(_ slot: Int) {
        while links.count <= slot { links.append(Link(newer: Self.none, older: Self.none, used: false)) }
        links[slot] = Link(newer: Self.none, older: newest, used: false)
        if newest != Self.none { links[Int(newest)].newer = Int32(slot) }
        newest = Int32(slot)
        if oldest == Self.none { oldest = Int32(slot) }
    }

    /// Notes a use; the whole cost of a hit.
    mutating func use(_ slot: Int) {
        links[slot].used = true
    }

    mutating func remove(_ slot: Int) {
        let link = links[slot]
        if link.newer == Self.none { newest = link.older } else { links[Int(link.newer)].older = link.older }
        if link.older == Self.none { oldest = link.newer } else { links[Int(link.older)].newer = link.newer }
        if hand == Int32(slot) { hand = link.newer }
    }

    /// The slot to evict next, still linked.
    ///
    /// - Parameter takeUse: Takes back a use that was noted elsewhere than by `use`; whether there was one.
    /// - Returns: The slot; nil when there is none.
    /// - Complexity: O(1) amortised over the uses since the hand last passed.
    mutating func victim(takeUse: (Int) -> Bool = { _ in false }) -> Int? {
        guard oldest != Self.none else { return nil }
        var slot = hand == Self.none ? oldest : hand
        while links[Int(slot)].used || takeUse(Int(slot)) {
            links[Int(slot)].used = false
            slot = links[Int(slot)].newer == Self.none ? oldest : links[Int(slot)].newer
        }
        hand = slot
        return Int(slot)
    }
}
