import EventLoop
import Glibc
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
        let isShared: Bool
        var watch: Watch?

        init(_ descriptor: consuming FileDescriptor, isShared: Bool) {
            self.descriptor = descriptor
            self.isShared = isShared
        }
    }

    private let loop: EventLoop
    private let log: Log
    /// Serves a connection from now on; false when it can't be served, and is closed.
    private let admit: (consuming FileDescriptor, Peer) -> Bool
    /// Closes the connection that has been idle longest of the first of these users that has one; false when none has.
    private let closeIdle: ([UInt32]) -> Bool
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
    ///   - closeIdle: Closes an idle connection of the first of these users that has one; false when none has.
    ///   - refused: Is called for each connection that is turned away.
    ///   - admit: Gets each connection that is not; false when it closed it at once.
    init(
        on loop: EventLoop,
        limits: ConnectionLimits,
        log: Log,
        closeIdle: @escaping ([UInt32]) -> Bool,
        refused: @escaping () -> Void,
        admit: @escaping (consuming FileDescriptor, Peer) -> Bool
    ) {
        self.loop = loop
        self.limits = limits
        self.log = log
        self.closeIdle = closeIdle
        self.refused = refused
        self.admit = admit
    }

    /// Accepts connections of a listening socket, which it owns from now on.
    ///
    /// A shared one is another process's too, which keeps what waits in its queue.
    func listen(on descriptor: consuming FileDescriptor, isShared: Bool) throws(SystemError) {
        loop.checkIsolated()
        let listener = Listener(descriptor, isShared: isShared)
        listeners.append(listener)
        try watch(listener)
    }

    /// Closes the listening sockets.
    ///
    /// Connections that wait in a shared socket's queue are left to its next owner; those of others would be reset, and
    /// are taken in.
    func stop() {
        loop.checkIsolated()
        for listener in listeners {
            if let watch = listener.watch { loop.unwatch(watch) }
            if !listener.isShared { takeWaiting(of: listener) }
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
                for _ in 0..<Self.acceptsPerTurnMax {
                    guard let descriptor = try SystemCall.accept(listener.descriptor.raw) else { break }
                    backoff.succeeded()
                    // Finding an idle connection looks at all of them: others have their turn before the next.
                    if open(descriptor) == .wasFull { break }
                }
            } catch {
                pause(after: error)
                return
            }
        }
    }

    /// Takes in what waits in a socket's queue; as much as there is room for without closing others.
    private func takeWaiting(of listener: Listener) {
        for _ in 0..<limits.totalMax {
            guard let descriptor = try? SystemCall.accept(listener.descriptor.raw), open(descriptor) == .wasThere
            else { return }
        }
    }

    private enum Room {
        case wasThere
        case wasFull
    }

    private func open(_ descriptor: consuming FileDescriptor) -> Room {
        let peer: Peer
        do throws(SystemError) {
            peer = try Peer(of: descriptor.raw)
        } catch {
            log.warning("a connection without a peer is refused: \(error)")
            return .wasThere
        }
        switch limits.arrival(of: peer.userID) {
        case .admitted:
            enter(descriptor, peer)
            return .wasThere
        case .replaces(let users):
            if closeIdle(users) {
                enter(descriptor, peer)
            } else {
                refused()
                refuse(descriptor, limits.refusal(of: peer.userID))
            }
            return .wasFull
        }
    }

    private func enter(_ descriptor: consuming FileDescriptor, _ peer: Peer) {
        limits.enter(user: peer.userID)
        if !admit(descriptor, peer) { limits.leave(user: peer.userID) }
    }

    /// Says why, as far as the socket takes it at once, and closes.
    private func refuse(_ descriptor: borrowing FileDescriptor, _ error: SearchError) {
        let line = WireLine.refusal(error, at: loop.now)
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

/// When to try again after `accept` failed for want of descriptors or memory.
///
/// Pure.
struct AcceptBackoff {
    static let first = Duration.milliseconds(50)
    static let longest = Duration.seconds(2)

    private var pause = first

    /// A failure: how long to leave the listener alone.
    mutating func failed() -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }

    mutating func succeeded() {
        pause = Self.first
    }
}
