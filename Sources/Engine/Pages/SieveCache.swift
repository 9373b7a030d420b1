/// A cache that evicts values by the SIEVE algorithm.
///
/// The hand moves from old to new values. It clears `isUsed`, and evicts the first value that was not used.
package struct SieveCache<Key: Hashable, Value> {
    private struct Slot {
        let key: Key
        let value: Value
        let cost: Int
        var isUsed: Bool
        var newer: Int?
        var older: Int?
    }

    private var slotsByKey: [Key: Int] = [:]
    private var slots: [Slot?] = []
    private var freeSlots: [Int] = []
    private var newest: Int?
    private var oldest: Int?
    private var hand: Int?
    package private(set) var bytes = 0
    private(set) var evictions = 0

    package init() {}

    var count: Int { slotsByKey.count }
    var keys: some Collection<Key> { slotsByKey.keys }
    var values: [Value] { slots.indices.compactMap { slots[$0]?.value } }

    /// Does not count as a use.
    func peek(_ key: Key) -> Value? { slotsByKey[key].flatMap { slots[$0]?.value } }

    /// Counts as a use.
    package mutating func value(_ key: Key) -> Value? {
        guard let slot = slotsByKey[key] else { return nil }
        slots[slot]?.isUsed = true
        return slots[slot]?.value
    }

    /// Never evicts other values.
    package mutating func insert(_ value: Value, under key: Key, cost: Int) {
        remove(key)
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(nil) }
        slots[slot] = Slot(key: key, value: value, cost: cost, isUsed: false, newer: nil, older: newest)
        if let newest { slots[newest]?.newer = slot }
        newest = slot
        oldest = oldest ?? slot
        slotsByKey[key] = slot
        bytes += cost
    }

    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let slot = slotsByKey.removeValue(forKey: key), let removed = slots[slot] else { return nil }
        if let newer = removed.newer { slots[newer]?.older = removed.older } else { newest = removed.older }
        if let older = removed.older { slots[older]?.newer = removed.newer } else { oldest = removed.newer }
        if hand == slot { hand = removed.newer }
        slots[slot] = nil
        freeSlots.append(slot)
        bytes -= removed.cost
        return removed.value
    }

    mutating func removeAll(where matches: (Value) -> Bool) {
        for place in slots.indices where slots[place].map({ matches($0.value) }) == true {
            if let key = slots[place]?.key { remove(key) }
        }
    }

    /// `takeUse` returns whether the owner of the value has recorded a use, and clears that record.
    package mutating func evict(takeUse: (Value) -> Bool = { _ in false }) -> Value? {
        while let place = hand ?? oldest, let slot = slots[place] {
            hand = slot.newer ?? oldest
            guard slot.isUsed || takeUse(slot.value) else {
                evictions += 1
                return remove(slot.key)
            }
            slots[place]?.isUsed = false
        }
        return nil
    }
}
