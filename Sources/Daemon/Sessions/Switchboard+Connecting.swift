import EventLoop
import SearchModel

/// Connections: how they come.
extension Switchboard {
    /// Begins to serve a listening socket, which it owns from now on.
    func listen(
        on descriptor: consuming FileDescriptor,
        limits: ConnectionLimits = ConnectionLimits()
    ) throws(SystemError) {
        let acceptor = acceptor ?? makeAcceptor(limits)
        self.acceptor = acceptor
        try acceptor.listen(on: descriptor)
    }

    private func makeAcceptor(_ limits: ConnectionLimits) -> Acceptor {
        // It calls back on the loop, which is this actor's executor.
        Acceptor(
            on: loop,
            limits: limits,
            log: log,
            refused: { [self] in assumeIsolated { $0.counters.connectionsRefused += 1 } },
            admit: { [self] descriptor, peer in
                let raw = descriptor.release()
                return assumeIsolated { $0.connected(FileDescriptor(owning: raw), peer) }
            }
        )
    }

    /// `ready`, for the loop's handlers: what `assumeIsolated` does, without the closures it makes for every message.
    ///
    /// An isolated parameter is passed as any other; the types differ only in what the compiler checks, and the caller
    /// has made sure of what it would have checked: that it is on the loop, which is this actor's executor.
    private static let readyOnLoop = unsafe unsafeBitCast(
        { (board: isolated Switchboard, connection: Connection, readiness: Readiness) in
            board.ready(connection, readiness)
        }
            as @Sendable (isolated Switchboard, Connection, Readiness) -> Void,
        to: (@Sendable (Switchboard, Connection, Readiness) -> Void).self
    )

    /// Serves a new connection; false when it can't be watched, and is closed.
    private func connected(_ descriptor: consuming FileDescriptor, _ peer: Peer) -> Bool {
        counters.connectionsAccepted += 1
        let number = takeNumber()
        let connection = Connection(number: number, peer: peer, descriptor: descriptor, connectedAt: loop.now)
        do throws(SystemError) {
            connection.watch = try loop.watch(connection.descriptor.raw, .readable) { [self] readiness in
                // The handler runs on the loop, which is this actor's executor.
                loop.checkIsolated()
                Self.readyOnLoop(self, connection, readiness)
            }
        } catch {
            log.warning("a connection can't be watched: \(error)")
            return false
        }
        connections[number] = connection
        emptySince = nil
        return true
    }
}
