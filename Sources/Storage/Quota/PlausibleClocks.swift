/// Every time of day that it may be, given that the clock was set now and then.
///
/// When the wall clock jumps, it is unknown whether it was wrong before or is wrong now. So what it said before goes on
/// to count as possible for `holdSeconds` and one period more; who grants only what every possible period has left
/// grants no more than allowed, whichever is the truth, and a jump that is undone within that time leaves no trace.
///
/// Pure. Invariant: the first belief is what the clock says; no two are within `toleranceSeconds` when they are noted.
struct PlausibleClocks: Equatable, Sendable {
    struct Belief: Equatable, Sendable {
        /// Its own, as long as it is remembered.
        var id: Int64
        /// Wall time less uptime.
        var offset: Int64
        /// The uptime since which it has counted.
        var since: Int64
        /// The uptime at which the clock last said so.
        var seenAt: Int64
    }

    /// Smaller changes are the drift of a clock that is being disciplined.
    static let toleranceSeconds: Int64 = 5
    /// Twice the largest step that must do no harm, nearly.
    static let holdSeconds: Int64 = 2 * 86_400
    /// No quota has a longer period than a month.
    static let forgetAfterSeconds: Int64 = holdSeconds + 32 * 86_400
    /// Past this the belief that was given up longest ago is forgotten.
    static let beliefsMax = 256

    private(set) var boot = ""
    private(set) var beliefs: [Belief] = []

    /// Takes note of what the clocks say.
    mutating func observe(_ reading: ClockReading, boot: String) {
        if boot != self.boot || reading.bootSeconds < beliefs.first?.seenAt ?? .min { carry(to: reading) }
        self.boot = boot
        if let current = beliefs.first, !Self.isSame(current.offset, reading.offset) {
            // Until now it was what the clock said.
            beliefs[0].seenAt = reading.bootSeconds
        }
        beliefs.insert(current(reading), at: 0)
        beliefs.removeAll { reading.bootSeconds - $0.seenAt > Self.forgetAfterSeconds }
        while beliefs.count > Self.beliefsMax,
            let oldest = beliefs.indices.dropFirst().min(by: { beliefs[$0].seenAt < beliefs[$1].seenAt })
        {
            beliefs.remove(at: oldest)
        }
    }

    /// The beliefs that still count at an uptime, for periods of this length.
    func counting(at bootSeconds: Int64, periodSeconds: (Int64) -> Int64) -> [Belief] {
        beliefs.indices.filter { index in
            let belief = beliefs[index]
            let hold = Self.holdSeconds + periodSeconds(bootSeconds + belief.offset)
            return index == 0 || bootSeconds - belief.seenAt <= hold
        }.map { beliefs[$0] }
    }

    /// Takes in what another ledger of this machine believes, which it has noted since the machine was started.
    ///
    /// - Returns: The numbers here of the other's beliefs, by their numbers there.
    mutating func join(_ other: PlausibleClocks) -> [Int64: Int64] {
        guard let latest = other.beliefs.first else { return [:] }
        if beliefs.isEmpty {
            self = other
            return Dictionary(uniqueKeysWithValues: other.beliefs.map { ($0.id, $0.id) })
        }
        let reading = ClockReading(wallSeconds: latest.seenAt + latest.offset, bootSeconds: latest.seenAt)
        if boot != other.boot || reading.bootSeconds >= beliefs[0].seenAt {
            observe(reading, boot: other.boot)
        }
        var numbers: [Int64: Int64] = [:]
        for belief in other.beliefs {
            if let index = beliefs.firstIndex(where: { Self.isSame($0.offset, belief.offset) }) {
                beliefs[index].since = max(beliefs[index].since, belief.since)
                beliefs[index].seenAt = max(beliefs[index].seenAt, belief.seenAt)
                numbers[belief.id] = beliefs[index].id
            } else {
                var joined = belief
                joined.id = 1 + (beliefs.map(\.id).max() ?? 0)
                beliefs.append(joined)
                numbers[belief.id] = joined.id
            }
        }
        return numbers
    }

    /// What the clock says, taken out of the beliefs when it is one of them that has counted all the time.
    private mutating func current(_ reading: ClockReading) -> Belief {
        let id = 1 + (beliefs.map(\.id).max() ?? 0)
        let new = Belief(id: id, offset: reading.offset, since: reading.bootSeconds, seenAt: reading.bootSeconds)
        guard let index = beliefs.firstIndex(where: { Self.isSame($0.offset, reading.offset) }) else { return new }
        var known = beliefs.remove(at: index)
        guard reading.bootSeconds - known.seenAt <= Self.holdSeconds || index == 0 else { return new }
        known.offset = reading.offset
        known.seenAt = reading.bootSeconds
        return known
    }

    /// The machine has been started anew: its uptime began at zero, and time has not gone back.
    private mutating func carry(to reading: ClockReading) {
        guard let current = beliefs.first else { return }
        let lastWall = current.seenAt + current.offset
        let shift = max(reading.wallSeconds, lastWall) - lastWall + current.seenAt - reading.bootSeconds
        beliefs = beliefs.map { belief in
            Belief(
                id: belief.id,
                offset: belief.offset + shift,
                since: belief.since - shift,
                seenAt: reading.bootSeconds - (current.seenAt - belief.seenAt)
            )
        }
    }

    private static func isSame(_ left: Int64, _ right: Int64) -> Bool {
        abs(left - right) <= toleranceSeconds
    }
}
