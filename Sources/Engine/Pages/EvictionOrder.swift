/// In which order entries are evicted: those that were not asked for again first.
///
/// A new entry is on probation, in a twentieth of the room: when that is full, the oldest there is evicted, unless it
/// was used, which proves it. One that comes back soon after it was evicted is proven at once. The proven ones are
/// evicted in the order of SIEVE. So neither a scan nor keys that are used once evict what is used often. Of a Zipf
/// stream it hits more than SIEVE alone, S3-FIFO or W-TinyLFU did at any size that was tried, and a use is no more than
/// a mark.
///
/// Invariant: every slot that was inserted and not removed is in exactly one of `probation` and `proven`;
/// `probationBytes` is the sum of the costs of the slots on probation.
struct EvictionOrder {
    /// Entries on probation may have this part of the whole before proven ones are evicted.
    static let probationShare = 20
    /// How many evicted ones are remembered for each one kept.
    static let ghostShare = 2

    private struct Slot {
        var cost = 0
        var hash = 0
        var isProven = false
    }

    private var slots: [Slot] = []
    private var probation = SieveOrder()
    private var proven = SieveOrder()
    private var provenCount = 0
    private var probationBytes = 0
    private var ghosts = GhostQueue()

    /// Takes in a slot, numbered by the caller from 0, densely; `hash` recognises it when it comes back.
    mutating func insert(_ slot: Int, hash: Int, cost: Int, isProven: Bool = false) {
        while slots.count <= slot { slots.append(Slot()) }
        slots[slot] = Slot(cost: cost, hash: hash)
        if ghosts.take(hash) || isProven {
            prove(slot)
        } else {
            probation.insert(slot)
            probationBytes += cost
        }
    }

    /// Whether a slot has left probation.
    func isProven(_ slot: Int) -> Bool { slots[slot].isProven }

    mutating func remove(_ slot: Int) {
        if slots[slot].isProven {
            proven.remove(slot)
            provenCount -= 1
        } else {
            leaveProbation(slot)
        }
    }

    /// Takes out the slot to evict next, of `count` in so many bytes; nil when there is none.
    ///
    /// `takeUse` answers whether a slot was used since it was last asked.
    mutating func evict(in bytes: Int, count: Int, takeUse: (Int) -> Bool) -> Int? {
        while probationBytes * Self.probationShare >= bytes || provenCount == 0, let oldest = probation.oldestSlot {
            leaveProbation(oldest)
            guard takeUse(oldest) else {
                ghosts.insert(slots[oldest].hash, countMax: count * Self.ghostShare)
                return oldest
            }
            prove(oldest)
        }
        guard let victim = proven.victim(takeUse: takeUse) else { return nil }
        remove(victim)
        return victim
    }

    private mutating func prove(_ slot: Int) {
        slots[slot].isProven = true
        proven.insert(slot)
        provenCount += 1
    }

    private mutating func leaveProbation(_ slot: Int) {
        probation.remove(slot)
        probationBytes -= slots[slot].cost
    }
}
