/// Who waits for which call: the decisions of sharing, without the calls.
///
/// No caller owns a flight. It ends by `finished`, or it is abandoned when its last waiter leaves before it was sent.
///
/// Invariant: every waiter is in exactly one flight; `current` names at most one flight a key, the one that newcomers
/// join; the number of waiters equals the sum over the flights.
struct FlightTable<Key: Hashable & Sendable> {
    struct FlightID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    struct WaiterID: Hashable, Sendable {
        let number: UInt64
    }

    enum Joined: Equatable {
        /// Nobody had asked: start the call.
        case leads(FlightID, WaiterID)
        /// The call is under way.
        case follows(FlightID, WaiterID)
        case refused
    }

    enum Left: Equatable {
        /// Others wait on, or the call is paid for and goes on alone.
        case goesOn
        /// It was the last, and nothing has been sent: end the call.
        case abandon(FlightID)
        /// It had its answer, or had left before.
        case wasGone
    }

    private struct Flight {
        let key: Key
        var isSent = false
        var waiters: Set<WaiterID> = []
    }

    private let flightsMax: Int
    private let waitersMax: Int
    private var flights: [FlightID: Flight] = [:]
    private var current: [Key: FlightID] = [:]
    private var flightOf: [WaiterID: FlightID] = [:]
    private var nextNumber: UInt64 = 0

    init(flightsMax: Int, waitersMax: Int) {
        self.flightsMax = flightsMax
        self.waitersMax = waitersMax
    }

    var flightCount: Int { flights.count }
    var waiterCount: Int { flightOf.count }

    /// A caller asks for a key.
    ///
    /// With `refresh` it takes no call that was sent before it asked: that begins a new generation, which later callers
    /// join, while those who wait for the old one keep it.
    mutating func join(_ key: Key, refresh: Bool) -> Joined {
        guard flightOf.count < waitersMax else { return .refused }
        if let flight = current[key], !refresh || flights[flight]?.isSent == false {
            let waiter = WaiterID(number: takeNumber())
            flights[flight]?.waiters.insert(waiter)
            flightOf[waiter] = flight
            checkInvariants()
            return .follows(flight, waiter)
        }
        guard flights.count < flightsMax else { return .refused }
        let flight = FlightID(number: takeNumber())
        let waiter = WaiterID(number: takeNumber())
        flights[flight] = Flight(key: key, waiters: [waiter])
        current[key] = flight
        flightOf[waiter] = flight
        checkInvariants()
        return .leads(flight, waiter)
    }

    /// The request goes out now: from here on it is paid for, and is not ended for want of waiters.
    mutating func sent(_ flight: FlightID) {
        flights[flight]?.isSent = true
    }

    mutating func left(_ waiter: WaiterID) -> Left {
        guard let id = flightOf.removeValue(forKey: waiter) else { return .wasGone }
        flights[id]?.waiters.remove(waiter)
        guard let flight = flights[id], flight.waiters.isEmpty, !flight.isSent else {
            checkInvariants()
            return .goesOn
        }
        remove(id)
        return .abandon(id)
    }

    /// The call has ended; everyone who gets its outcome.
    mutating func finished(_ id: FlightID) -> [WaiterID] {
        guard let flight = flights[id] else { return [] }
        for waiter in flight.waiters { flightOf[waiter] = nil }
        remove(id)
        return Array(flight.waiters)
    }

    private mutating func remove(_ id: FlightID) {
        guard let flight = flights.removeValue(forKey: id) else { return }
        if current[flight.key] == id { current[flight.key] = nil }
        checkInvariants()
    }

    private mutating func takeNumber() -> UInt64 {
        nextNumber += 1
        return nextNumber
    }

    private func checkInvariants() {
        assert(flights.count <= flightsMax && flightOf.count <= waitersMax)
        assert(flights.values.reduce(0) { $0 + $1.waiters.count } == flightOf.count)
        assert(current.allSatisfy { flights[$0.value]?.key == $0.key })
    }
}
