package import EventLoop

/// Answers under the exact bytes that led to them: the way a repeated search skips everything else.
///
/// Invariant: `bytes` is the sum of the entries' costs, and at most `bytesMax` after every call; every occupied place of
/// `table` names a slot whose hash leads to that place by linear probing; at most three quarters of it are occupied.
package struct FinishedAnswers {
    /// A longer key takes the ordinary way.
    package static let keyBytesMax = 2048

    /// An answer that is kept.
    package final class Entry: Sendable {
        let hash: UInt64
        let key: [UInt8]
        package let template: AnswerTemplate
        let leases: [ValidityToken]
        let pageCount: Int
        let validUntil: Instant

        init(
            hash: UInt64,
            key: [UInt8],
            template: AnswerTemplate,
            leases: [ValidityToken],
            pageCount: Int,
            validUntil: Instant
        ) {
            self.hash = hash
            self.key = key
            self.template = template
            self.leases = leases
            self.pageCount = pageCount
            self.validUntil = validUntil
        }

        /// Tells all it was built from that it is used; false when something of that has changed, or its time is over.
        func use(at now: Instant) -> Bool {
            var isGood = now < validUntil
            for index in leases.indices where !leases[index].use() { isGood = false }
            return isGood
        }

        /// Whether it will never be good again.
        var isDead: Bool { leases.contains(where: \.isEnded) }

        var cost: Int { key.capacity + template.bytesUsed + leases.capacity * 8 + 160 }
    }

    private static let empty: Int32 = -1
    /// How many slots an insertion looks through for answers that are no longer good.
    private static let slotsSwept = 4

    private let bytesMax: Int
    private let seed: UInt64
    private let uses: RepeatedUses
    private var table: [Int32]
    private var slots: [Entry?] = []
    private var freeSlots: [Int] = []
    private var order = SieveOrder()
    private var bytes = 0
    private var nextSwept = 0

    /// Nothing kept yet.
    ///
    /// - Parameters:
    ///   - bytesMax: The bound of what is kept.
    ///   - seed: Makes the hashes unpredictable to whoever chooses the parameters.
    ///   - uses: Counts the pages in the answers that are given.
    package init(bytesMax: Int, seed: UInt64, uses: RepeatedUses = RepeatedUses()) {
        self.bytesMax = bytesMax
        self.seed = seed
        self.uses = uses
        table = Array(repeating: Self.empty, count: 64)
    }

    package var count: Int { slots.count - freeSlots.count }
    package var bytesUsed: Int { bytes + table.capacity * 4 }

    /// The answer for a key seen before, which counts as used; nil when there is none, or it is no longer good.
    package mutating func answer(for key: UnsafeRawBufferPointer, now: Instant) -> Entry? {
        let hash = unsafe KeyHash.of(key, seed: seed)
        guard let place = unsafe place(of: key, hash), let entry = slots[Int(table[place])] else { return nil }
        guard entry.use(at: now) else {
            remove(at: place)
            return nil
        }
        order.use(Int(table[place]))
        uses.add(entry.pageCount)
        return entry
    }

    /// Keeps an answer under a key; one that is larger than the whole bound, or under too long a key, is not kept.
    ///
    /// - Parameters:
    ///   - template: The answer.
    ///   - key: What leads to it.
    ///   - leases: Of all that it is built from; they are told when it is used.
    ///   - pageCount: How many of them are pages.
    ///   - validUntil: From when on it is not given any more.
    package mutating func insert(
        _ template: AnswerTemplate,
        for key: UnsafeRawBufferPointer,
        leases: [ValidityToken],
        pageCount: Int = 0,
        validUntil: Instant
    ) {
        guard key.count <= Self.keyBytesMax else { return }
        sweep()
        let hash = unsafe KeyHash.of(key, seed: seed)
        if let place = unsafe place(of: key, hash) { remove(at: place) }
        let entry = Entry(
            hash: hash,
            key: unsafe Array(key),
            template: template,
            leases: leases,
            pageCount: pageCount,
            validUntil: validUntil
        )
        guard entry.cost <= bytesMax else { return }
        while bytes + entry.cost > bytesMax, let victim = order.victim(), let evicted = slots[victim] {
            guard let place = place(ofSlot: victim, evicted.hash) else { return }
            remove(at: place)
        }
        if (count + 1) * 4 > table.count * 3 { rehash(to: table.count * 2) }
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(entry) } else { slots[slot] = entry }
        order.insert(slot)
        bytes += entry.cost
        occupy(slot, hash)
    }

    /// Forgets every answer.
    package mutating func removeAll() {
        self = FinishedAnswers(bytesMax: bytesMax, seed: seed, uses: uses)
    }

    /// Drops dead answers, a few slots at a time: nobody may ask for them again, and they keep pages from being freed.
    private mutating func sweep() {
        for _ in 0..<min(Self.slotsSwept, slots.count) {
            nextSwept = nextSwept + 1 < slots.count ? nextSwept + 1 : 0
            if let entry = slots[nextSwept], entry.isDead, let place = place(ofSlot: nextSwept, entry.hash) {
                remove(at: place)
            }
        }
    }

    // MARK: Hashing

    private func place(of key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int? {
        var place = Int(truncatingIfNeeded: hash) & (table.count - 1)
        while table[place] != Self.empty {
            if let entry = slots[Int(table[place])], entry.hash == hash, entry.key.count == key.count,
                unsafe entry.key.withUnsafeBytes({ unsafe KeyHash.equal($0, key) })
            {
                return place
            }
            place = (place + 1) & (table.count - 1)
        }
        return nil
    }

    private func place(ofSlot slot: Int, _ hash: UInt64) -> Int? {
        var place = Int(truncatingIfNeeded: hash) & (table.count - 1)
        while table[place] != Self.empty {
            if Int(table[place]) == slot { return place }
            place = (place + 1) & (table.count - 1)
        }
        return nil
    }

    private mutating func occupy(_ slot: Int, _ hash: UInt64) {
        var place = Int(truncatingIfNeeded: hash) & (table.count - 1)
        while table[place] != Self.empty { place = (place + 1) & (table.count - 1) }
        table[place] = Int32(slot)
    }

    private mutating func remove(at place: Int) {
        let slot = Int(table[place])
        if let entry = slots[slot] { bytes -= entry.cost }
        slots[slot] = nil
        freeSlots.append(slot)
        order.remove(slot)
        table[place] = Self.empty
        closeGap(at: place)
    }

    /// Moves up what probing would no longer find behind an emptied place.
    private mutating func closeGap(at emptied: Int) {
        var gap = emptied
        var place = (gap + 1) & (table.count - 1)
        while table[place] != Self.empty {
            let hash = slots[Int(table[place])]?.hash ?? 0
            let home = Int(truncatingIfNeeded: hash) & (table.count - 1)
            let distanceToGap = (gap - home) & (table.count - 1)
            let distanceToPlace = (place - home) & (table.count - 1)
            if distanceToGap < distanceToPlace {
                table[gap] = table[place]
                table[place] = Self.empty
                gap = place
            }
            place = (place + 1) & (table.count - 1)
        }
    }

    private mutating func rehash(to size: Int) {
        table = Array(repeating: Self.empty, count: size)
        for (slot, entry) in slots.enumerated() {
            if let entry { occupy(slot, entry.hash) }
        }
    }
}
