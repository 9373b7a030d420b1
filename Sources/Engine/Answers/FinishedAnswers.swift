package import EventLoop

/// Answers under the exact bytes that led to them: the way a repeated search skips everything else.
///
/// An answer is for every user, or for the one user on whose data it depends.
///
/// Invariant: `bytes` is the sum of the entries' costs, and at most `bytesMax` after every call; `slotsByHash` names
/// the slot of every entry, and no other; `personalCount` is how many entries are for one user.
package struct FinishedAnswers {
    /// Told to whom an answer is given again, on which connection, and when; at the cost of every such answer.
    package typealias Note = @Sendable (_ userID: UInt32, _ connection: UInt64, _ now: Instant) -> Void

    /// A longer key takes the ordinary way.
    package static let keyBytesMax = 2048

    /// An answer that is kept.
    package final class Entry: Sendable {
        let hash: KeyHash
        let key: [UInt8]
        /// Whose answer it is; nil when it is everyone's.
        let userID: UInt32?
        package let template: AnswerTemplate
        let validity: [ValidityToken]
        let pageCount: Int
        let validUntil: Instant
        /// The channel of the requests that it answers.
        package let channel: String?
        package let whenGiven: Note?
        private let noteBytes: Int

        init(
            hash: KeyHash,
            key: [UInt8],
            userID: UInt32?,
            template: AnswerTemplate,
            validity: [ValidityToken],
            pageCount: Int,
            validUntil: Instant,
            channel: String?,
            whenGiven: Note?,
            noteBytes: Int
        ) {
            self.hash = hash
            self.key = key
            self.userID = userID
            self.template = template
            self.validity = validity
            self.pageCount = pageCount
            self.validUntil = validUntil
            self.channel = channel
            self.whenGiven = whenGiven
            self.noteBytes = noteBytes
        }

        /// Notes a user's use of all it was built from; false when some of that has ended, or the answer has expired.
        func use(by userID: UInt32, at now: Instant) -> Bool {
            var isGood = now < validUntil
            for index in validity.indices where !validity[index].use(by: userID) { isGood = false }
            return isGood
        }

        /// Whether it will never be good again.
        var isDead: Bool { validity.contains(where: \.isEnded) }

        var cost: Int { key.capacity + template.bytesUsed + validity.capacity * 8 + noteBytes + 184 }
    }

    /// How many slots an insertion looks through for answers that are no longer good.
    private static let slotsSwept = 4
    /// What an entry of the dictionary takes, as far as the capacity goes.
    private static let indexBytes = 17

    private let bytesMax: Int
    private let seed: UInt64
    private let uses: RepeatedUses
    /// Two keys of one hash can't both be kept: the later one is.
    private var slotsByHash: [KeyHash: Int] = [:]
    private var slots: [Entry?] = []
    private var freeSlots: [Int] = []
    private var order = SieveOrder()
    private var bytes = 0
    private var nextSwept = 0
    private var personalCount = 0

    /// Nothing kept yet.
    ///
    /// - Parameters:
    ///   - bytesMax: The bound of what is kept.
    ///   - seed: Makes the hashes unpredictable to clients, which choose the keys.
    ///   - uses: Counts the pages in the answers that are given.
    package init(bytesMax: Int, seed: UInt64, uses: RepeatedUses = RepeatedUses()) {
        self.bytesMax = bytesMax
        self.seed = seed
        self.uses = uses
    }

    package var count: Int { slotsByHash.count }
    package var bytesUsed: Int { bytes + slotsByHash.capacity * Self.indexBytes }

    /// The answer to a user for a key seen before, which counts as used; nil when there is none, or it is no longer
    /// good.
    ///
    /// - Parameters:
    ///   - key: What leads to it.
    ///   - userID: Who asks.
    ///   - ownOnly: Whether only an answer made for this user will do.
    ///   - now: When.
    /// - Returns: The answer.
    package mutating func answer(
        for key: UnsafeRawBufferPointer,
        of userID: UInt32,
        ownOnly: Bool = false,
        now: Instant
    ) -> Entry? {
        if personalCount > 0, let entry = unsafe use(key, of: userID, by: userID, now) { return entry }
        return ownOnly ? nil : unsafe use(key, of: nil, by: userID, now)
    }

    private mutating func use(
        _ key: UnsafeRawBufferPointer,
        of owner: UInt32?,
        by userID: UInt32,
        _ now: Instant
    ) -> Entry? {
        guard let slot = unsafe slotsByHash[hash(of: key, owner)], let entry = slots[slot],
            entry.userID == owner, entry.key.count == key.count,
            unsafe entry.key.withUnsafeBytes({ unsafe KeyHash.equal($0, key) })
        else { return nil }
        guard entry.use(by: userID, at: now) else {
            remove(slot)
            return nil
        }
        order.use(slot)
        uses.add(entry.pageCount)
        return entry
    }

    /// Keeps an answer under a key; one that is larger than the whole bound, or under too long a key, is not kept.
    ///
    /// - Parameters:
    ///   - template: The answer.
    ///   - key: What leads to it.
    ///   - userID: The user on whose data it depends; nil when it is everyone's.
    ///   - validity: Of all that it is built from; a use is noted in them.
    ///   - pageCount: How many of them are pages.
    ///   - validUntil: From when on it is not given any more.
    ///   - channel: That of the requests it answers.
    ///   - whenGiven: Is told of each time it is given; by the caller of `answer`.
    ///   - noteBytes: What that holds on to.
    package mutating func insert(
        _ template: AnswerTemplate,
        for key: UnsafeRawBufferPointer,
        of userID: UInt32? = nil,
        validity: [ValidityToken],
        pageCount: Int = 0,
        validUntil: Instant,
        channel: String? = nil,
        whenGiven: Note? = nil,
        noteBytes: Int = 0
    ) {
        guard key.count <= Self.keyBytesMax else { return }
        sweep()
        let hash = unsafe hash(of: key, userID)
        if let slot = slotsByHash[hash] { remove(slot) }
        let entry = Entry(
            hash: hash,
            key: unsafe Array(key),
            userID: userID,
            template: template,
            validity: validity,
            pageCount: pageCount,
            validUntil: validUntil,
            channel: channel,
            whenGiven: whenGiven,
            noteBytes: noteBytes
        )
        guard entry.cost <= bytesMax else { return }
        while bytes + entry.cost > bytesMax, let victim = order.victim() { remove(victim) }
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(entry) } else { slots[slot] = entry }
        slotsByHash[hash] = slot
        order.insert(slot)
        bytes += entry.cost
        if userID != nil { personalCount += 1 }
    }

    /// Drops every answer.
    package mutating func removeAll() {
        self = FinishedAnswers(bytesMax: bytesMax, seed: seed, uses: uses)
    }

    /// Drops dead answers, a few slots at a time: they may never be asked for again, and keep pages from being freed.
    private mutating func sweep() {
        for _ in 0..<min(Self.slotsSwept, slots.count) {
            nextSwept = nextSwept + 1 < slots.count ? nextSwept + 1 : 0
            if let entry = slots[nextSwept], entry.isDead { remove(nextSwept) }
        }
    }

    private mutating func remove(_ slot: Int) {
        guard let entry = slots[slot] else { return }
        slotsByHash[entry.hash] = nil
        slots[slot] = nil
        freeSlots.append(slot)
        order.remove(slot)
        bytes -= entry.cost
        if entry.userID != nil { personalCount -= 1 }
    }

    private func hash(of key: UnsafeRawBufferPointer, _ userID: UInt32?) -> KeyHash {
        unsafe KeyHash(of: key, seed: userID.map { seed ^ (UInt64($0) &+ 1) << 16 } ?? seed)
    }
}
