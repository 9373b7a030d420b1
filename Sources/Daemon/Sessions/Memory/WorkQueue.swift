/// Requests whose work waits for memory: each connection's in their order, the connections in turn, those that hold
/// nothing before the others.
///
/// Pure.
///
/// Invariant: each connection with waiting requests is once in one of the two rings.
struct WorkQueue<Request> {
    struct Waiting {
        let number: UInt64
        let bytes: Int
        let request: Request
    }

    /// How many connections of a ring are looked at for one that may go on.
    private static var looksMax: Int { 64 }

    private var waiting: [UInt64: [Waiting]] = [:]
    /// Connections that held nothing when they came to wait.
    private var newcomers: [UInt64] = []
    private var others: [UInt64] = []

    var isEmpty: Bool { waiting.isEmpty }

    func hasWaiting(of connection: UInt64) -> Bool { waiting[connection] != nil }

    mutating func add(_ request: Waiting, of connection: UInt64, holdsNothing: Bool) {
        if waiting[connection] == nil {
            if holdsNothing { newcomers.append(connection) } else { others.append(connection) }
        }
        waiting[connection, default: []].append(request)
    }

    /// A request no longer waits; nothing when it didn't.
    ///
    /// - Complexity: O(n) in the connection's requests and the connections.
    mutating func remove(_ request: UInt64, of connection: UInt64) {
        guard let index = waiting[connection]?.firstIndex(where: { $0.number == request }) else { return }
        waiting[connection]?.remove(at: index)
        guard waiting[connection]?.isEmpty == true else { return }
        waiting[connection] = nil
        newcomers.removeAll { $0 == connection }
        others.removeAll { $0 == connection }
    }

    /// Takes the request whose turn it is among those that may go on; a connection that may not waits for its next
    /// turn.
    mutating func next(where mayGoOn: (Waiting, _ connection: UInt64) -> Bool) -> (Waiting, connection: UInt64)? {
        if let connection = turn(of: &newcomers, where: mayGoOn) {
            // From now on it holds something.
            newcomers.removeAll { $0 == connection }
            others.append(connection)
            return take(connection)
        }
        return turn(of: &others, where: mayGoOn).flatMap { take($0) }
    }

    private func turn(of ring: inout [UInt64], where mayGoOn: (Waiting, UInt64) -> Bool) -> UInt64? {
        for looks in 0..<min(Self.looksMax, ring.count) {
            guard let head = waiting[ring[looks]]?.first, mayGoOn(head, ring[looks]) else { continue }
            let connection = ring[looks]
            ring = Array(ring[(looks + 1)...] + ring[...looks])
            return connection
        }
        if ring.count > Self.looksMax { ring = Array(ring[Self.looksMax...] + ring[..<Self.looksMax]) }
        return nil
    }

    private mutating func take(_ connection: UInt64) -> (Waiting, connection: UInt64)? {
        guard let head = waiting[connection]?.first else { return nil }
        remove(head.number, of: connection)
        return (head, connection)
    }
}
