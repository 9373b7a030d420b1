import TestSupport
import Testing

@testable import Engine

struct FlightTableTests {
    private enum Event {
        case join(refresh: Bool)
        case leave(Int)
        case send(Int)
        case finish(Int)
    }

    /// Plays every order of joining, leaving, sending and finishing that is possible from here on.
    private struct Explorer {
        var history: [Event] = []
        var histories = 0
        /// The first history that broke a promise, and which.
        var broken: ([Event], String)?

        mutating func explore(_ oracle: FlightOracle, joining: Int, refreshing: Int) {
            guard broken == nil else { return }
            if let mismatch = oracle.mismatches.first { return broken = (history, mismatch) }
            var isOver = true
            func branch(_ event: Event, joining: Int, refreshing: Int, _ play: (inout FlightOracle) -> Void) {
                var copy = oracle
                play(&copy)
                isOver = false
                history.append(event)
                explore(copy, joining: joining, refreshing: refreshing)
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
            if isOver { histories += 1 }
        }
    }

    @Test(arguments: [(5, 0), (3, 2)])
    func `every order of what callers and calls do keeps the promises`(callers: Int, refreshes: Int) {
        let oracle = FlightOracle(table: FlightTable(flightsMax: 5, waitersMax: 5))
        var explorer = Explorer()
        explorer.explore(oracle, joining: callers, refreshing: refreshes)
        #expect(explorer.broken == nil)
        #expect(explorer.histories > 8000)
    }

    @Test func `a thousand callers at random keep the promises`() {
        var random = SeededGenerator(seed: testSeed())
        var oracle = FlightOracle(table: FlightTable(flightsMax: 1000, waitersMax: 1000))
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
        var oracle = FlightOracle(table: FlightTable(flightsMax: 2, waitersMax: 2))
        oracle.join(1, refresh: false)
        oracle.join(2, refresh: false)
        oracle.finish(0)
        #expect(oracle.waitingCallers == [1])
        #expect(oracle.mismatches == [])
    }

    @Test func `one flight too many is refused until another ends`() throws {
        var table = FlightTable<Int>(flightsMax: 2, waitersMax: 10)
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

    @Test func `one waiter too many is refused until another leaves`() throws {
        var table = FlightTable<Int>(flightsMax: 10, waitersMax: 2)
        let leader = try #require(table.join(1, refresh: false).led)
        #expect(table.join(1, refresh: false).followed != nil)
        #expect(table.join(1, refresh: false) == .refused)
        #expect(table.join(2, refresh: false) == .refused)
        #expect(table.waiterCount == 2)
        #expect(table.left(leader.waiter) == .goesOn)
        #expect(table.join(1, refresh: false).followed != nil)
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
