import Engine
import EventLoop
import SearchModel

/// The memory that connections hold: counted, kept within the budget, given back.
extension Switchboard {
    /// How often those who are held back, and readers that take nothing, are looked after while memory is short.
    private static let lookAfter = Duration.milliseconds(50)
    /// After how long calls have ended that were under way.
    private static let callsEnd = SearchRequest.timeoutDefault + .seconds(2)
    /// How long work may wait for memory.
    static let workWaitMax = Duration.seconds(8)

    /// The unsent bytes at which a connection is held back.
    var outputLimit: Int { min(Outbox.bytesMax, memory.shareBytes) }

    /// Whether a connection's next line or message may be served.
    ///
    /// What waits for the end of a batch doesn't count: it goes when the rest of the batch has been served.
    func mayServe(_ connection: Connection) -> Bool {
        connection.outbox.unsentBytes + scratch.count < outputLimit
            && connection.holdings.output - connection.behindBatchBytes < memory.shareBytes
    }

    /// Brings the budget in line with what a connection holds, and drops who holds most when it is exceeded.
    func account(for connection: Connection) {
        let holdings = connection.isClosed ? Holdings() : connection.holdings
        memory.changed(from: connection.counted, to: holdings)
        connection.counted = holdings
        while memory.isExceeded, let largest = largestHolder {
            log.warning("a connection of user \(largest.peer.userID) is dropped: it holds too much memory")
            drop(largest)
        }
        if memory.isPressed || !work.isEmpty || !heldBack.isEmpty { watchMemory() }
        if memoryPeak.isPast(memory.bytesUsed + connections.count * MemoryPeak.connectionBytes) {
            releaseFreeMemory()
            // Calls to sources that no caller waits for any more end by themselves, and so does what they hold.
            _ = loop.schedule(at: loop.now.advanced(by: Self.callsEnd)) { [releaseFreeMemory] in releaseFreeMemory() }
        }
    }

    /// Of those who keep the daemon waiting, or else of all, the connection that holds most.
    private var largestHolder: Connection? {
        let now = loop.now
        let stalled = connections.values.filter { $0.outbox.isStalledUnderPressure(at: now) }
        return (stalled.isEmpty ? Array(connections.values) : stalled).max { $0.counted.bytes < $1.counted.bytes }
    }

    // MARK: While memory is short

    private func watchMemory() {
        guard memoryTimer == nil else { return }
        memoryTimer = loop.schedule(at: loop.now.advanced(by: Self.lookAfter)) { [self] in
            onLoop { $0.lookAfterMemory() }
        }
    }

    private func lookAfterMemory() {
        memoryTimer = nil
        if memory.isPressed || !work.isEmpty { dropStalled() }
        for number in heldBack {
            if let connection = connections[number] { settle(connection) } else { heldBack.remove(number) }
        }
        startWork()
        if memory.isPressed || !work.isEmpty || !heldBack.isEmpty { watchMemory() }
    }

    private func dropStalled() {
        let now = loop.now
        for connection in connections.values where connection.outbox.isStalledUnderPressure(at: now) {
            counters.connectionsStalled += 1
            log.info("a connection of user \(connection.peer.userID) is dropped: it does not read, and memory is short")
            drop(connection)
        }
    }

    // MARK: Work

    /// Begins a request's work, as soon as memory allows.
    func beginWork(_ stream: RequestStream, _ connection: Connection) {
        guard let request = connection.request(of: stream) else { return }
        let bytes = request.workBytes
        if bytes == 0 || !work.hasWaiting(of: connection.number) && memory.admits(bytes, to: connection.holdings) {
            return start(stream, bytes, connection)
        }
        work.add(
            WorkQueue.Waiting(number: stream.request, bytes: bytes, request: stream),
            of: connection.number,
            holdsNothing: connection.reservedBytes == 0
        )
        watchMemory()
        connection.update(stream) { request in
            request.timer = loop.schedule(at: loop.now.advanced(by: Self.workWaitMax)) { [self] in
                onLoop { $0.finished(stream, .failure(Self.memoryIsShort)) }
            }
        }
    }

    private func start(_ stream: RequestStream, _ bytes: Int, _ connection: Connection) {
        connection.reservedBytes += bytes
        startTask(stream, connection)
        account(for: connection)
    }

    /// Begins the work of those whose turn it is, as far as memory allows.
    func startWork() {
        while let (waiting, number) = work.next(where: { waiting, number in
            connections[number].map { memory.admits(waiting.bytes, to: $0.holdings) } ?? true
        }) {
            if let connection = connections[number] { start(waiting.request, waiting.bytes, connection) }
        }
    }

    /// A request that is no longer in flight gives its memory back, or waits for it no longer.
    func giveBackMemory(of request: Connection.InFlightRequest, _ connection: Connection) {
        if request.task != nil {
            connection.reservedBytes -= request.workBytes
        } else {
            work.remove(request.number, of: connection.number)
        }
    }
}
