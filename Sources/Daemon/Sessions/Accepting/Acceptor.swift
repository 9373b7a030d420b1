import EventLoop
import Glibc
import RPC
import SearchModel

/// The listening sockets of the daemon, and who may come in through them.
///
/// `@unchecked Sendable` so that handlers of the loop may hold it: confined to the loop, which every entry asserts.
final class Acceptor: @unchecked Sendable {
    /// How many connections one turn takes in, so that a flood of them does not hold up those that are there.
    private static let acceptsPerTurnMax = 64

    /// A listening socket; not watched while accepting pauses.
    private final class Listener {
        let descriptor: FileDescriptor
        var watch: Watch?

        init(_ descriptor: consuming FileDescriptor) {
            self.descriptor = descriptor
        }
    }

    private let loop: EventLoop
    private let log: Log
    /// Serves a connection from now on; false when it can't be served, and is closed.
    private let admit: (consuming FileDescriptor, Peer) -> Bool
    /// Counts a connection that is turned away.
    private let refused: () -> Void
    private var limits: ConnectionLimits
    private var listeners: [Listener] = []
    private var backoff = AcceptBackoff()
    private var backoffTimer: Timer?

    /// - Parameters:
    ///   - loop: Where it listens.
    ///   - limits: How many connections there may be.
    ///   - log: Gets what goes wrong.
    ///   - refused: Is called for each connection that is turned away.
    ///   - admit: Gets each connection that is not; false when it closed it at once.
    init(
        on loop: EventLoop,
        limits: ConnectionLimits,
        log: Log,
        refused: @escaping () -> Void,
        admit: @escaping (consuming FileDescriptor, Peer) -> Bool
    ) {
        self.loop = loop
        self.limits = limits
        self.log = log
        self.refused = refused
        self.admit = admit
    }

    /// Accepts connections of a listening socket, which it owns from now on.
    func listen(on descriptor: consuming FileDescriptor) throws(SystemError) {
        loop.checkIsolated()
        let listener = Listener(descriptor)
        listeners.append(listener)
        try watch(listener)
    }

    /// Accepts nothing more; connections that wait in the sockets' queues are left to the sockets' next owner.
    func stop() {
        loop.checkIsolated()
        for listener in listeners {
            if let watch = listener.watch { loop.unwatch(watch) }
        }
        listeners = []
        if let timer = backoffTimer { loop.cancel(timer) }
        backoffTimer = nil
    }

    /// A connection that was admitted is closed; its descriptor is free by the next turn.
    func left(_ peer: Peer) {
        loop.checkIsolated()
        limits.leave(user: peer.userID)
        resume()
    }

    // MARK: Accepting

    private func watch(_ listener: Listener) throws(SystemError) {
        listener.watch = try loop.watch(listener.descriptor.raw, .readable) { [self] _ in acceptAll() }
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
                pause(after: error)
                return
            }
        }
    }

    private func open(_ descriptor: consuming FileDescriptor) {
        let peer: Peer
        do throws(SystemError) {
            peer = try Peer(of: descriptor.raw)
        } catch {
            log.warning("a connection without a peer is refused: \(error)")
            return
        }
        if let refusal = limits.admit(user: peer.userID) {
            refused()
            refuse(descriptor, refusal)
        } else if !admit(descriptor, peer) {
            limits.leave(user: peer.userID)
        }
    }

    /// Says why, as far as the socket takes it at once, and closes.
    private func refuse(_ descriptor: borrowing FileDescriptor, _ error: SearchError) {
        var line: [UInt8] = []
        Reply.failure(error).write(id: .null, to: &line, now: loop.now)
        line.append(UInt8(ascii: "\n"))
        // Best effort: a peer that can't take one line at once has nothing to lose.
        _ = try? unsafe line.withUnsafeBytes { unsafe try SystemCall.send(descriptor.raw, $0) }
    }

    // MARK: Pausing

    /// Leaves the listeners alone for a while: the waiting connection would wake the loop again at once.
    private func pause(after error: SystemError) {
        guard backoffTimer == nil else { return }
        log.warning("connections can't be accepted: \(error)")
        for listener in listeners {
            if let watch = listener.watch { loop.unwatch(watch) }
            listener.watch = nil
        }
        backoffTimer = loop.schedule(at: loop.now.advanced(by: backoff.failed())) { [self] in resume() }
    }

    /// Listens again, after the pause or because a descriptor becomes free.
    private func resume() {
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
}
