/// Which caller waits for which call: the decisions of sharing, without the calls.
///
/// No caller owns a flight. It ends by `finished`, or it is abandoned when its last waiter leaves before it was sent.
///
/// Invariant: every waiter is in exactly one flight; `current` names at most one flight a key, the one that newcomers
/// join; the number of waiters equals the sum over the flights, and the shares say how many of both are of each client
/// and of each user.
struct FlightTable<Key: Hashable & Sendable> {
    struct FlightID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    struct WaiterID: Hashable, Sendable {
        let number: UInt64
    }

    enum Joined: Equatable {
        /// No caller had asked: start the call.
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
        case hadLeft
    }

    private struct Flight {
        let key: Key
        let client: ClientIdentity
        var isSent = false
        var waiters: Set<WaiterID> = []
    }

    private struct Waiter {
        let flight: FlightID
        let client: ClientIdentity
    }

    /// What a client or a user has of all that there may be: calls that were begun for it, and callers who wait.
    private struct Share {
        var flights = 0
        var waiters = 0

        var isEmpty: Bool { flights == 0 && waiters == 0 }
    }

    private let flightsMax: Int
    private let waitersMax: Int
    private let clientPart: Int
    private var flights: [FlightID: Flight] = [:]
    private var current: [Key: FlightID] = [:]
    private var waiters: [WaiterID: Waiter] = [:]
    private var shares: [ClientIdentity: Share] = [:]
    private var userShares: [UInt32: Share] = [:]
    private var nextNumber: UInt64 = 0

    /// One user may have one part in `clientPart` of both, and each of its programs one in `clientPart` of that.
    init(flightsMax: Int, waitersMax: Int, clientPart: Int = 1) {
        self.flightsMax = flightsMax
        self.waitersMax = waitersMax
        self.clientPart = clientPart
    }

    var flightCount: Int { flights.count }
    var waiterCount: Int { waiters.count }

    /// A caller asks for a key.
    ///
    /// With `refresh` it takes no call that was sent before it asked: that begins a new generation, which later callers
    /// join, while the waiters of the old one keep it.
    mutating func join(_ key: Key, refresh: Bool, for client: ClientIdentity = .daemon) -> Joined {
        guard waiters.count < waitersMax, isWithinPart(client, of: waitersMax, \.waiters) else { return .refused }
        if let flight = current[key], !refresh || flights[flight]?.isSent == false {
            let waiter = wait(for: flight, client)
            checkInvariants()
            return .follows(flight, waiter)
        }
        guard flights.count < flightsMax, isWithinPart(client, of: flightsMax, \.flights) else { return .refused }
        let flight = FlightID(number: takeNumber())
        flights[flight] = Flight(key: key, client: client)
        count(client, \.flights, 1)
        current[key] = flight
        let waiter = wait(for: flight, client)
        checkInvariants()
        return .leads(flight, waiter)
    }

    private mutating func wait(for flight: FlightID, _ client: ClientIdentity) -> WaiterID {
        let waiter = WaiterID(number: takeNumber())
        flights[flight]?.waiters.insert(waiter)
        waiters[waiter] = Waiter(flight: flight, client: client)
        count(client, \.waiters, 1)
        return waiter
    }

    /// Whether there is a call for a key that a caller could join.
    func isUnderWay(_ key: Key) -> Bool { current[key] != nil }

    /// Whether a call for a key has gone out, so that a caller that joins it now adds nothing to its cost.
    func isSent(_ key: Key) -> Bool {
        current[key].map { flights[$0]?.isSent == true } ?? false
    }

    /// The callers that wait for a call.
    func waiters(of flight: FlightID) -> Set<WaiterID> { flights[flight]?.waiters ?? [] }

    /// The request goes out now: from here on it is paid for, and is not ended for want of waiters.
    mutating func sent(_ flight: FlightID) {
        flights[flight]?.isSent = true
    }

    mutating func left(_ waiter: WaiterID) -> Left {
        guard let id = release(waiter) else { return .hadLeft }
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
        for waiter in flight.waiters { release(waiter) }
        remove(id)
        return Array(flight.waiters)
    }

    /// Removes a waiter, but not from its flight; which that is, nil when it had left.
    @discardableResult
    private mutating func release(_ waiter: WaiterID) -> FlightID? {
        guard let left = waiters.removeValue(forKey: waiter) else { return nil }
        count(left.client, \.waiters, -1)
        return left.flight
    }

    private mutating func remove(_ id: FlightID) {
        guard let flight = flights.removeValue(forKey: id) else { return }
        if current[flight.key] == id { current[flight.key] = nil }
        count(flight.client, \.flights, -1)
        checkInvariants()
    }

    /// Whether a client and its user may have one more.
    private func isWithinPart(_ client: ClientIdentity, of most: Int, _ what: KeyPath<Share, Int>) -> Bool {
        let ofUser = userShares[client.userID]?[keyPath: what] ?? 0
        let ofClient = shares[client]?[keyPath: what] ?? 0
        return ofUser < most / clientPart && ofClient < most / clientPart / clientPart
    }

    private mutating func count(_ client: ClientIdentity, _ what: WritableKeyPath<Share, Int>, _ change: Int) {
        shares[client, default: Share()][keyPath: what] += change
        userShares[client.userID, default: Share()][keyPath: what] += change
        if shares[client]?.isEmpty == true { shares[client] = nil }
        if userShares[client.userID]?.isEmpty == true { userShares[client.userID] = nil }
    }

    private mutating func takeNumber() -> UInt64 {
        nextNumber += 1
        return nextNumber
    }

    private func checkInvariants() {
        assert(flights.count <= flightsMax && waiters.count <= waitersMax)
        assert(flights.values.reduce(0) { $0 + $1.waiters.count } == waiters.count)
        assert(shares.values.reduce(0) { $0 + $1.flights } == flights.count)
        assert(shares.values.reduce(0) { $0 + $1.waiters } == waiters.count)
        assert(userShares.values.reduce(0) { $0 + $1.flights } == flights.count)
        assert(userShares.values.reduce(0) { $0 + $1.waiters } == waiters.count)
        assert(current.allSatisfy { flights[$0.value]?.key == $0.key })
    }
}
