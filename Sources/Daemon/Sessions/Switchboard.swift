import EventLoop
import SearchModel

/// The daemon's door: takes connections in, has each served by a session of its own, and closes behind the last.
actor Switchboard: LoopActor {
    nonisolated let loop: EventLoop
    let shared: SessionResources
    private let dispatcher: Dispatcher
    /// Takes connections in; nil until it listens.
    private var acceptor: Acceptor?

    init(_ shared: SessionResources, methods: MethodTable, permissions: Permissions) {
        loop = shared.loop
        self.shared = shared
        shared.counters.uncounted = methods.personal
        dispatcher = Dispatcher(methods, permissions, shared)
    }

    /// Since when no client has been connected; nil while one is.
    var emptySince: Instant? { shared.table.emptySince }

    /// Another configuration is in force: what was answered before may be wrong by it.
    func reloaded(adminGroupID: UInt32?) {
        shared.readyAnswers.removeAll()
        dispatcher.change(adminGroupID: adminGroupID)
    }

    // MARK: Accepting

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

    private func makeAcceptor(_ limits: ConnectionLimits) -> Acceptor {
        let (shared, dispatcher) = (shared, dispatcher)
        let acceptor = Acceptor(
            on: loop,
            limits: limits,
            log: shared.log,
            closeIdle: { shared.table.closeIdle(of: $0) },
            refused: { shared.counters.connectionsRefused += 1 },
            admit: { descriptor, peer in
                shared.counters.connectionsAccepted += 1
                let number = shared.table.takeNumber()
                let session = Session(number: number, peer: peer, descriptor: descriptor, shared, dispatcher)
                guard session.begin() else { return false }
                shared.table.add(session)
                return true
            }
        )
        shared.table.ended = { acceptor.left($0) }
        return acceptor
    }

    // MARK: Draining

    /// Takes nothing new in, and returns when everything in flight has been answered and sent, or at the deadline.
    ///
    /// As soon as nothing more is owed to a client, it sees the end of its connection, which is closed when the client
    /// has closed it too, or shortly after.
    func drain(until deadline: Instant) async {
        acceptor?.stop()
        shared.isDraining = true
        for session in shared.table.all { session.readLast() }
        await shared.table.waitUntilEmpty(until: deadline)
        for session in shared.table.all { session.end(with: SessionErrors.shuttingDown) }
    }
}
