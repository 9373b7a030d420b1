import EventLoop
import SearchModel

/// The daemon's entrance: takes connections in, has each served by a session, and ends with the last of them.
actor Switchboard: LoopActor {
    nonisolated let loop: EventLoop
    let shared: SessionResources
    private let dispatcher: Dispatcher
    private let acceptor: Acceptor

    init(_ shared: SessionResources, methods: MethodTable, permissions: Permissions) {
        loop = shared.loop
        self.shared = shared
        shared.counters.uncounted = methods.personal
        dispatcher = Dispatcher(methods, permissions, shared)
        acceptor = Acceptor(shared, dispatcher)
    }

    /// Since when no client has been connected; nil while one is.
    var emptySince: Instant? { shared.emptySince }

    /// Another configuration is in force.
    func reloaded(adminGroupID: UInt32?) {
        dispatcher.change(adminGroupID: adminGroupID)
    }

    /// Begins to serve a listening socket, which it owns from now on.
    func listen(on descriptor: consuming FileDescriptor, isShared: Bool = false) throws(SystemError) {
        try acceptor.listen(on: descriptor, isShared: isShared)
    }

    /// Takes nothing new in, and returns when everything in flight has been answered and sent, or at the deadline.
    ///
    /// As soon as nothing more is owed to a client, it sees the end of its connection, which is closed when the client
    /// has closed it too, or shortly after.
    func drain(until deadline: Instant) async {
        acceptor.stop()
        shared.isDraining = true
        for session in shared.all { session.readLast() }
        await shared.waitUntilEmpty(until: deadline)
        for session in shared.all { session.end(with: SessionErrors.shuttingDown) }
    }
}
