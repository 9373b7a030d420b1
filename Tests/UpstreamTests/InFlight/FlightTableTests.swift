import TestSupport
import Testing

@testable import Upstream

struct FlightTableTests {
    private enum Event {
        case join(refresh: Bool)
        case leave(Int)
        case send(Int)
        case finish(Int)
    }

    /// Plays every order of joining, leaving, sending and finishing that is possible from here on.
    ///
    /// Where a table is as one that has been seen, but for the names in it, everything possible has been played.
    private struct Explorer {
        private struct State: Hashable {
            let table: [String]
            let joining: Int
            let refreshing: Int
        }

        var history: [Event] = []
        private var known: [State: Int] = [:]
        /// The first history that broke a promise, and which.
        var broken: ([Event], String)?

        var stateCount: Int { known.count }

        /// How many histories there are from here on.
        mutating func explore(_ oracle: FlightOracle, joining: Int, refreshing: Int) -> Int {
            guard broken == nil else { return 0 }
            if let mismatch = oracle.mismatches.first {
                broken = (history, mismatch)
                return 0
            }
            let state = State(table: oracle.table.shape, joining: joining, refreshing: refreshing)
            if let histories = known[state] { return histories }
            var histories = 0
            var isOver = true
            func branch(_ event: Event, joining: Int, refreshing: Int, _ play: (inout FlightOracle) -> Void) {
                var copy = oracle
                play(&copy)
                isOver = false
                history.append(event)
                histories += explore(copy, joining: joining, refreshing: refreshing)
                history.removeLast()
            }
            for refresh in [false, true] where joining > 0 && (!refresh || refreshing > 0) {
                let left = refresh ? refreshing - 1 : refreshing
                branch(.join(refresh: refresh), joining: joining - 1, refreshing: left) { $0.join(0, refresh: refresh) }
            }
            for caller in oracle.waitingCallers {
                branch(.leave(caller), joining: joining, refreshing: refreshing) { $0.leave(caller) }
            }
            for flight in oracle.openFlights {
                if !oracle.flights[flight].isSent {
                    branch(.send(flight), joining: joining, refreshing: refreshing) { $0.send(flight) }
                }
                branch(.finish(flight), joining: joining, refreshing: refreshing) { $0.finish(flight) }
            }
            known[state] = isOver ? 1 : histories
            return isOver ? 1 : histories
        }
    }

    @Test func `every order of what up to five callers and their calls do keeps the promises`() {
        let oracle = FlightOracle(table: FlightTable(flightsMax: 5))
        var explorer = Explorer()
        let histories = explorer.explore(oracle, joining: 5, refreshing: 5)
        #expect(explorer.broken == nil)
        print("\(histories) histories through \(explorer.stateCount) states of the table")
        #expect(histories == 189_011_736)
        #expect(explorer.stateCount == 1013)
    }

    @Test func `a thousand callers at random keep the promises`() {
        var random = SeededGenerator(seed: testSeed())
        var oracle = FlightOracle(table: FlightTable(flightsMax: 1000))
        while oracle.callers.count < 1000 || !oracle.waitingCallers.isEmpty {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6 where oracle.callers.count < 1000:
                oracle.join(Int.random(in: 0..<4, using: &random), refresh: Int.random(in: 0..<10, using: &random) == 0)
            case 6, 7:
                if let caller = oracle.waitingCallers.randomElement(using: &random) { oracle.leave(caller) }
            case 8:
                if let flight = oracle.openFlights.randomElement(using: &random) { oracle.send(flight) }
            default:
                if let flight = oracle.openFlights.randomElement(using: &random) { oracle.finish(flight) }
            }
        }
        #expect(oracle.mismatches == [])
    }

    @Test func `callers of different keys share nothing`() {
        var oracle = FlightOracle(table: FlightTable(flightsMax: 2))
        oracle.join(1, refresh: false)
        oracle.join(2, refresh: false)
        oracle.finish(0)
        #expect(oracle.waitingCallers == [1])
        #expect(oracle.mismatches == [])
    }

    @Test func `one flight too many is refused until another ends`() throws {
        var table = FlightTable<Int>(flightsMax: 2)
        let first = try #require(table.join(1, refresh: false).led)
        #expect(table.join(2, refresh: false).led != nil)
        #expect(table.join(3, refresh: false) == .refused)
        // A call that has not gone out yet is as new as a refresh wants it.
        #expect(table.join(1, refresh: true).followed?.flight == first.flight)
        table.sent(first.flight)
        #expect(table.join(1, refresh: true) == .refused)
        #expect(table.join(1, refresh: false).followed?.flight == first.flight)
        #expect(table.finished(first.flight).count == 3)
        #expect(table.join(3, refresh: false).led != nil)
        #expect(table.flightCount == 2)
    }
}

extension FlightTable<Int> {
    /// What it holds but for its numbers: two tables of one shape do the same from here on.
    ///
    /// The oracle does not see into the table, and what it can't see counts as well.
    fileprivate var shape: [String] {
        let parts = Mirror(reflecting: self).children
        let flights = parts.first { $0.label == "flights" }?.value as? [FlightID: Any] ?? [:]
        let current = parts.first { $0.label == "current" }?.value as? [Int: FlightID] ?? [:]
        let flightOf = parts.first { $0.label == "waiters" }?.value as? [WaiterID: FlightID] ?? [:]
        let seen = flights.map { id, flight in
            let members = Mirror(reflecting: flight).children
            let own = members.first { $0.label == "waiters" }?.value as? Set<WaiterID> ?? []
            let isSent = members.first { $0.label == "isSent" }?.value as? Bool
            let isWhole = own == Set(flightOf.filter { $0.value == id }.keys)
            return "\(own.count) \(String(describing: isSent)) \(isWhole) \(current.values.count { $0 == id })"
        }
        return seen.sorted() + ["\(current.count) \(flightOf.count)"]
    }
}

extension FlightTable.Joined {
    fileprivate var led: (flight: FlightTable.FlightID, waiter: FlightTable.WaiterID)? {
        if case .leads(let flight, let waiter) = self { (flight, waiter) } else { nil }
    }

    fileprivate var followed: (flight: FlightTable.FlightID, waiter: FlightTable.WaiterID)? {
        if case .follows(let flight, let waiter) = self { (flight, waiter) } else { nil }
    }
}
