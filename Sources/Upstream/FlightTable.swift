/// Which caller waits for which call: the decisions of sharing, without the calls.
///
/// No caller owns a flight. It ends by `finished`, or it is abandoned when its last waiter leaves before it was sent.
///
/// Invariant: every waiter is in exactly one flight; `current` names at most one flight per key, the one that newcomers
/// join; at most `flightsMax` flights.
struct FlightTable<Key: Hashable & Sendable> {
    struct FlightID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    struct WaiterID: Hashable, Sendable {
        let number: UInt64
    }

    enum Joined: Equatable {
        /// No other caller has asked: start the call.
        case leads(FlightID, WaiterID)
        /// The call is under way.
        case follows(FlightID, WaiterID)
        case refused
    }

    enum Left: Equatable {
        /// Others wait, or the call is paid for and completes without callers.
        case goesOn
        /// It was the last caller, and nothing has been sent: end the call.
        case abandon(FlightID)
        /// It had its answer, or had left before.
        case hadLeft
    }

    private struct Flight {
        let key: Key
        var isSent = false
        var waiters: Set<WaiterID> = []
    }

    private let flightsMax: Int
    private var flights: [FlightID: Flight] = [:]
    private var current: [Key: FlightID] = [:]
    private var waiters: [WaiterID: FlightID] = [:]
    private var nextNumber: UInt64 = 0

    init(flightsMax: Int) {
        self.flightsMax = flightsMax
    }

    var flightCount: Int { flights.count }
    var waiterCount: Int { waiters.count }

    /// A caller asks for a key.
    ///
    /// With `refresh` it does not join a call that was sent before it asked: it begins a new one, which later callers
    /// join, while the waiters of the old call keep it.
    mutating func join(_ key: Key, refresh: Bool) -> Joined {
        if let flight = current[key], !refresh || flights[flight]?.isSent == false {
            return .follows(flight, wait(for: flight))
        }
        guard flights.count < flightsMax else { return .refused }
        let flight = FlightID(number: takeNumber())
        flights[flight] = Flight(key: key)
        current[key] = flight
        return .leads(flight, wait(for: flight))
    }

    private mutating func wait(for flight: FlightID) -> WaiterID {
        let waiter = WaiterID(number: takeNumber())
        flights[flight]?.waiters.insert(waiter)
        waiters[waiter] = flight
        checkInvariants()
        return waiter
    }

    /// Whether there is a call for a key that a caller could join.
    func isUnderWay(_ key: Key) -> Bool { current[key] != nil }

    /// Whether a call for a key has been sent, so that joining it costs nothing.
    func isSent(_ key: Key) -> Bool {
        current[key].map { flights[$0]?.isSent == true } ?? false
    }

    /// The callers that wait for a call.
    func waiters(of flight: FlightID) -> Set<WaiterID> { flights[flight]?.waiters ?? [] }

    /// The request is written now: from here on it is paid for, and completes even if all callers leave.
    mutating func sent(_ flight: FlightID) {
        flights[flight]?.isSent = true
    }

    mutating func left(_ waiter: WaiterID) -> Left {
        guard let id = waiters.removeValue(forKey: waiter) else { return .hadLeft }
        flights[id]?.waiters.remove(waiter)
        guard let flight = flights[id], flight.waiters.isEmpty, !flight.isSent else {
            checkInvariants()
            return .goesOn
        }
        remove(id)
        return .abandon(id)
    }

    /// The call has ended; returns the callers that get its outcome.
    mutating func finished(_ id: FlightID) -> [WaiterID] {
        guard let flight = flights[id] else { return [] }
        for waiter in flight.waiters { waiters[waiter] = nil }
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
        assert(flights.count <= flightsMax)
        assert(flights.values.reduce(0) { $0 + $1.waiters.count } == waiters.count)
        assert(current.allSatisfy { flights[$0.value]?.key == $0.key })
    }
}
