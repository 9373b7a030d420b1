import EventLoop
import SearchModel

/// Connections: how they come, and how an idle one is closed for another.
extension Switchboard {
    /// Begins to serve a listening socket, which it owns from now on.
    func listen(
        on descriptor: consuming FileDescriptor,
        limits: ConnectionLimits = ConnectionLimits(),
        isShared: Bool = false
    ) throws(SystemError) {
        let acceptor = acceptor ?? makeAcceptor(limits)
        self.acceptor = acceptor
        try acceptor.listen(on: descriptor, isShared: isShared)
    }

    /// Serves another listening socket in place of those there are; their connections stay.
    func listen(inPlaceOfOthersOn descriptor: consuming FileDescriptor) throws(SystemError) {
        guard !isDraining else { return }
        acceptor?.stop()
        try listen(on: descriptor)
    }

    private func makeAcceptor(_ limits: ConnectionLimits) -> Acceptor {
        // It calls back on the loop, which is this actor's executor.
        Acceptor(
            on: loop,
            limits: limits,
            log: log,
            closeIdle: { [self] users in onLoop { $0.closeIdle(of: users) } },
            refused: { [self] in onLoop { $0.counters.connectionsRefused += 1 } },
            admit: { [self] descriptor, peer in
                let raw = descriptor.release()
                return onLoop { $0.connected(FileDescriptor(owning: raw), peer) }
            }
        )
    }

    /// `ready`, for the loop's handlers: what `onLoop` does, without the closures it makes for every message.
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

    /// Closes the connection that has been idle longest of the first of these users that has one; false when none has.
    private func closeIdle(of users: [UInt32]) -> Bool {
        for user in users {
            if closeNextIdle(of: user) { return true }
            idleConnections.look(at: connections.values, now: loop.now)
            if closeNextIdle(of: user) { return true }
        }
        return false
    }

    private func closeNextIdle(of user: UInt32) -> Bool {
        while let entry = idleConnections.next(of: user) {
            guard let connection = connections[entry.number], connection.isIdle, connection.servedAt == entry.servedAt,
                // What has come is read in the next turn.
                SystemCall.unreadBytes(connection.descriptor.raw) == 0
            else { continue }
            counters.connectionsReplaced += 1
            log.debug("an idle connection of user \(user) is closed to make room")
            drop(connection)
            return true
        }
        return false
    }
}
