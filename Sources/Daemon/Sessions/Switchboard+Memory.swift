import EventLoop
import SearchModel

/// The memory that connections hold: counted, kept within the budget, given back.
extension Switchboard {
    /// How often those who are held back, and readers that take nothing, are looked after while memory is short.
    private static let lookAfter = Duration.milliseconds(50)
    /// How long work may wait for memory.
    static let workWaitMax = Duration.seconds(10)

    /// The unsent bytes at which a connection is held back.
    var outputLimit: Int { min(Outbox.bytesMax, memory.shareBytes) }

    /// Whether a connection's next line or message may be served.
    ///
    /// What waits for the end of a batch doesn't count: it goes when the rest of the batch has been served.
    func mayServe(_ connection: Connection) -> Bool {
        connection.outbox.unsentBytes + scratch.count < outputLimit
            && connection.holdings.buffered - connection.behindBatchBytes < memory.shareBytes
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
            assumeIsolated { $0.lookAfterMemory() }
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

    /// Waits until a request's work may have the memory that it needs.
    ///
    /// - Throws: `cancelled` when it is not in flight any more, `overloaded` when it would have to wait too long.
    func waitForMemory(_ bytes: Int, _ stream: RequestStream) async throws(SearchError) {
        guard bytes > 0 else { return }
        guard let connection = connections[stream.connection], connection.holds(stream) else { throw Self.cancelled }
        if !work.hasWaiting(of: connection.number), memory.admits(bytes, to: connection.holdings) {
            return reserve(bytes, for: stream, connection)
        }
        work.add(WorkQueue.Waiting(request: stream.request, bytes: bytes), of: connection.number)
        watchMemory()
        let timer = loop.schedule(at: loop.now.advanced(by: Self.workWaitMax)) { [self] in
            assumeIsolated { $0.stopWaiting(stream.request, of: stream.connection) }
        }
        await withCheckedContinuation { workWaiters[stream.request] = WorkWaiter(stream: stream, continuation: $0) }
        loop.cancel(timer)
        // The connection may be gone by now, or the request answered.
        guard let connection = connections[stream.connection], connection.holds(stream) else { throw Self.cancelled }
        let id = connection.currentID(of: stream)
        guard connection.inFlight[id]?.reservedBytes == bytes else { throw Self.memoryIsShort }
    }

    private func reserve(_ bytes: Int, for stream: RequestStream, _ connection: Connection) {
        connection.inFlight[connection.currentID(of: stream)]?.reservedBytes = bytes
        connection.reservedBytes += bytes
        account(for: connection)
    }

    /// Lets those go on whose turn it is, as far as memory allows.
    func startWork() {
        while let (waiting, number) = work.next(where: { waiting, number in
            connections[number].map { memory.admits(waiting.bytes, to: $0.holdings) } ?? true
        }) {
            guard let waiter = workWaiters.removeValue(forKey: waiting.request) else { continue }
            if let connection = connections[number] { reserve(waiting.bytes, for: waiter.stream, connection) }
            waiter.continuation.resume()
        }
    }

    /// A request waits for memory no longer; its task finds out why.
    private func stopWaiting(_ request: UInt64, of connection: UInt64) {
        work.remove(request, of: connection)
        workWaiters.removeValue(forKey: request)?.continuation.resume()
    }

    /// A request that is no longer in flight gives its memory back.
    func giveBackMemory(of request: Connection.InFlightRequest, _ connection: Connection) {
        connection.reservedBytes -= request.reservedBytes
        if request.reservedBytes == 0 { stopWaiting(request.number, of: connection.number) }
    }
}

/// A request whose task waits for memory.
struct WorkWaiter {
    let stream: RequestStream
    let continuation: CheckedContinuation<Void, Never>
}
