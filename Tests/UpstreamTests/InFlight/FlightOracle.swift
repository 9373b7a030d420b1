@testable import Upstream

/// The promises of sharing, said in the simplest way, and a table that must keep them.
///
/// Every event goes to both; what the table answers is compared with what was promised.
struct FlightOracle {
    typealias Table = FlightTable<Int>

    struct Flight {
        let id: Table.FlightID
        let key: Int
        var isSent = false
        var isOver = false
        /// Whether newcomers join it.
        var isCurrent = true
        var waiters: Set<Int> = []
    }

    struct Caller {
        let id: Table.WaiterID
        let flight: Int
        var waits = true
    }

    private(set) var table: Table
    private(set) var flights: [Flight] = []
    private(set) var callers: [Caller] = []
    private(set) var mismatches: [String] = []

    init(table: Table) {
        self.table = table
    }

    var waitingCallers: [Int] { callers.indices.filter { callers[$0].waits } }
    var openFlights: [Int] { flights.indices.filter { !flights[$0].isOver } }

    mutating func join(_ key: Int, refresh: Bool) {
        let current = flights.firstIndex { $0.key == key && $0.isCurrent && !$0.isOver }
        switch table.join(key, refresh: refresh) {
        case .refused: mismatches.append("refused")
        case .follows(let id, let waiter):
            guard let current, flights[current].id == id, !refresh || !flights[current].isSent else {
                return mismatches.append("follows what it should not")
            }
            flights[current].waiters.insert(callers.count)
            callers.append(Caller(id: waiter, flight: current))
        case .leads(let id, let waiter):
            if let current, !refresh || !flights[current].isSent {
                mismatches.append("a second call for a key and generation")
            }
            if flights.contains(where: { $0.id == id }) { mismatches.append("a flight's number comes twice") }
            if let current { flights[current].isCurrent = false }
            flights.append(Flight(id: id, key: key, waiters: [callers.count]))
            callers.append(Caller(id: waiter, flight: flights.count - 1))
        }
        checkCounts()
    }

    /// A caller leaves; leaving once more changes nothing.
    mutating func leave(_ caller: Int) {
        let number = callers[caller].flight
        callers[caller].waits = false
        flights[number].waiters.remove(caller)
        let isAbandoned = flights[number].waiters.isEmpty && !flights[number].isSent
        if isAbandoned { flights[number].isOver = true }
        let expected: Table.Left = isAbandoned ? .abandon(flights[number].id) : .goesOn
        if table.left(callers[caller].id) != expected { mismatches.append("leaving is not \(expected)") }
        if table.left(callers[caller].id) != .hadLeft { mismatches.append("a caller leaves twice") }
        if isAbandoned, !table.finished(flights[number].id).isEmpty { mismatches.append("an abandoned call answers") }
        checkCounts()
    }

    mutating func send(_ flight: Int) {
        flights[flight].isSent = true
        table.sent(flights[flight].id)
        checkCounts()
    }

    /// A call ends; ending once more, or leaving after the answer, changes nothing.
    mutating func finish(_ flight: Int) {
        let answered = Set(table.finished(flights[flight].id))
        let expected = Set(flights[flight].waiters.map { callers[$0].id })
        if answered != expected { mismatches.append("\(answered.count) are answered instead of \(expected.count)") }
        if !table.finished(flights[flight].id).isEmpty { mismatches.append("a call answers twice") }
        for caller in flights[flight].waiters {
            callers[caller].waits = false
            if table.left(callers[caller].id) != .hadLeft { mismatches.append("a caller leaves after its answer") }
        }
        flights[flight].waiters = []
        flights[flight].isOver = true
        checkCounts()
    }

    private mutating func checkCounts() {
        if table.flightCount != openFlights.count { mismatches.append("\(table.flightCount) flights") }
        if table.waiterCount != waitingCallers.count { mismatches.append("\(table.waiterCount) waiters") }
    }
}
