import EventLoop
import Glibc
import RPC
import SearchModel

/// A socket on which clients come in.
///
/// Confined to the switchboard.
final class Listener {
    let descriptor: FileDescriptor
    var watch: Watch?

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }
}

extension Switchboard {
    /// How many connections one turn takes in, so that a flood of them does not hold up those that are there.
    private static let acceptsPerTurnMax = 64

    /// Begins to serve a listening socket, which it owns from now on.
    func listen(on descriptor: consuming FileDescriptor) throws(SystemError) {
        let listener = Listener(descriptor)
        listeners.append(listener)
        try watch(listener)
    }

    private func watch(_ listener: Listener) throws(SystemError) {
        listener.watch = try loop.watch(listener.descriptor.raw, .readable) { [self] _ in
            // The handler runs on the loop, which is this actor's executor.
            assumeIsolated { $0.acceptAll() }
        }
    }

    /// Stops taking clients in; those that wait in the sockets' queues are left to whoever has the sockets next.
    func stopListening() {
        for listener in listeners {
            if let watch = listener.watch { loop.unwatch(watch) }
        }
        listeners = []
        if let timer = backoffTimer { loop.cancel(timer) }
        backoffTimer = nil
    }

    private func acceptAll() {
        for listener in listeners where listener.watch != nil {
            do throws(SystemError) {
                var taken = 0
                while taken < Self.acceptsPerTurnMax, let descriptor = try SystemCall.accept(listener.descriptor.raw) {
                    taken += 1
                    backoff.succeeded()
                    open(descriptor)
                }
            } catch {
                pauseAccepting(after: error)
                return
            }
        }
    }

    /// Leaves the listeners alone for a while: the waiting connection would wake the loop again at once.
    private func pauseAccepting(after error: SystemError) {
        guard backoffTimer == nil else { return }
        log.warning("connections can't be accepted: \(error)")
        for listener in listeners {
            if let watch = listener.watch { loop.unwatch(watch) }
            listener.watch = nil
        }
        backoffTimer = loop.schedule(at: loop.now.advanced(by: backoff.failed())) { [self] in
            assumeIsolated { $0.resumeAccepting() }
        }
    }

    /// Listens again, after the pause or because a descriptor has become free.
    func resumeAccepting() {
        guard let timer = backoffTimer else { return }
        loop.cancel(timer)
        backoffTimer = nil
        for listener in listeners where listener.watch == nil {
            do throws(SystemError) {
                try watch(listener)
            } catch {
                log.error("the socket can't be watched: \(error)")
            }
        }
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

    private func open(_ descriptor: consuming FileDescriptor) {
        let peer: Peer
        do throws(SystemError) {
            peer = try Peer(of: descriptor.raw)
        } catch {
            log.warning("a connection without a peer is refused: \(error)")
            return
        }
        if let refusal = limits.admit(user: peer.userID) {
            counters.connectionsRefused += 1
            refuse(descriptor, refusal)
            return
        }
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
            limits.leave(user: peer.userID)
            return
        }
        connections[number] = connection
        emptySince = nil
    }

    /// Says why, as far as the socket takes it at once, and closes.
    private func refuse(_ descriptor: borrowing FileDescriptor, _ error: SearchError) {
        var line: [UInt8] = []
        Reply.failure(error).write(id: .null, to: &line, now: loop.now)
        line.append(UInt8(ascii: "\n"))
        // Best effort: a peer that can't take one line at once has nothing to lose.
        _ = try? unsafe line.withUnsafeBytes { unsafe try SystemCall.send(descriptor.raw, $0) }
    }
}
