/// Requests whose work waits for memory: each connection's in their order, the connections in turn.
///
/// Pure.
///
/// Invariant: `order` holds each connection with waiting requests once.
struct WorkQueue<Request> {
    struct Waiting {
        let number: UInt64
        let bytes: Int
        let request: Request
    }

    /// How many connections are looked at for one that may go on.
    private static var looksMax: Int { 64 }

    private var waiting: [UInt64: [Waiting]] = [:]
    private var order: [UInt64] = []
    private var first = 0

    var isEmpty: Bool { waiting.isEmpty }

    func hasWaiting(of connection: UInt64) -> Bool { waiting[connection] != nil }

    mutating func add(_ request: Waiting, of connection: UInt64) {
        if waiting[connection] == nil { order.append(connection) }
        waiting[connection, default: []].append(request)
    }

    /// A request no longer waits; nothing when it didn't.
    ///
    /// - Complexity: O(n) in the connection's requests.
    mutating func remove(_ request: UInt64, of connection: UInt64) {
        guard let index = waiting[connection]?.firstIndex(where: { $0.number == request }) else { return }
        waiting[connection]?.remove(at: index)
        if waiting[connection]?.isEmpty == true { leave(connection) }
    }

    /// Takes the request whose turn it is among those that may go on; a connection that may not waits for its next turn.
    mutating func next(where mayGoOn: (Waiting, _ connection: UInt64) -> Bool) -> (Waiting, connection: UInt64)? {
        for _ in 0..<min(Self.looksMax, order.count - first) {
            let connection = order[first]
            first += 1
            order.append(connection)
            compact()
            guard let head = waiting[connection]?.first, mayGoOn(head, connection) else { continue }
            remove(head.number, of: connection)
            return (head, connection)
        }
        return nil
    }

    private mutating func leave(_ connection: UInt64) {
        waiting[connection] = nil
        if let index = order[first...].firstIndex(of: connection) { order.remove(at: index) }
    }

    private mutating func compact() {
        guard first > order.count / 2 else { return }
        order.removeFirst(first)
        first = 0
    }
}
