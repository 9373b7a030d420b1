import EventLoop
import Glibc
import SearchModel

/// The listening sockets of the daemon, and who may come in through them.
///
/// `@unchecked Sendable` so that handlers of the loop may hold it: confined to the loop, which every entry asserts.
final class Acceptor: @unchecked Sendable {
    /// How many connections one turn takes in, so that a flood of them does not hold up those that are there.
    private static let acceptsPerTurnMax = 64
    /// How long listeners are left alone after `accept` failed for want of descriptors or memory: the waiting
    /// connection would wake the loop again at once.
    private static let pause = Duration.milliseconds(250)

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

    private let shared: SessionResources
    private let dispatcher: Dispatcher
    private var listeners: [Listener] = []
    private var pauseTimer: Timer?

    init(_ shared: SessionResources, _ dispatcher: Dispatcher) {
        self.shared = shared
        self.dispatcher = dispatcher
        shared.ended = { [weak self] in self?.resume() }
    }

    /// Accepts connections of a listening socket, which it owns from now on.
    ///
    /// A shared one is another process's too, which keeps what waits in its queue.
    func listen(on descriptor: consuming FileDescriptor, isShared: Bool) throws(SystemError) {
        shared.loop.checkIsolated()
        let listener = Listener(descriptor, isShared: isShared)
        listeners.append(listener)
        try watch(listener)
    }

    /// Closes the listening sockets.
    ///
    /// Connections that wait in a shared socket's queue are left to its next owner; those of others would be reset, and
    /// are taken in.
    func stop() {
        shared.loop.checkIsolated()
        for listener in listeners {
            if let watch = listener.watch { shared.loop.unwatch(watch) }
            if !listener.isShared { takeWaiting(of: listener) }
        }
        listeners = []
        if let timer = pauseTimer { shared.loop.cancel(timer) }
        pauseTimer = nil
    }

    // MARK: Accepting

    private func watch(_ listener: Listener) throws(SystemError) {
        listener.watch = try shared.loop.watch(listener.descriptor.raw, .readable) { [self] _ in acceptAll() }
    }

    private func acceptAll() {
        for listener in listeners where listener.watch != nil {
            do throws(SystemError) {
                for _ in 0..<Self.acceptsPerTurnMax {
                    guard let descriptor = try SystemCall.accept(listener.descriptor.raw) else { break }
                    // Finding an idle connection looks at all of them: others have their turn before the next.
                    if !open(descriptor) { break }
                }
            } catch {
                pause(after: error)
                return
            }
        }
    }

    /// Takes in what waits in a socket's queue; as much as there is room for without closing others.
    private func takeWaiting(of listener: Listener) {
        for _ in 0..<shared.usage.limits.connections {
            guard let descriptor = try? SystemCall.accept(listener.descriptor.raw), open(descriptor) else { return }
        }
    }

    /// Serves a connection, or refuses it; false when there was no room for it without closing another.
    private func open(_ descriptor: consuming FileDescriptor) -> Bool {
        let peer: Peer
        do throws(SystemError) {
            peer = try Peer(of: descriptor.raw)
        } catch {
            shared.log.warning("a connection without a peer is refused: \(error)")
            return true
        }
        if shared.usage.admitsConnection(of: peer.userID) {
            shared.serve(descriptor, of: peer, dispatcher)
            return true
        }
        if shared.closeLongestIdle(of: peer.userID) {
            shared.serve(descriptor, of: peer, dispatcher)
        } else {
            shared.counters.connectionsRefused += 1
            refuse(descriptor, shared.usage.refusal(of: peer.userID))
        }
        return false
    }

    /// Says why, as far as the socket takes it at once, and closes.
    private func refuse(_ descriptor: borrowing FileDescriptor, _ error: SearchError) {
        let line = WireLine.refusal(error, at: shared.loop.now)
        // Best effort: a peer that can't take one line at once has nothing to lose.
        _ = try? unsafe line.withUnsafeBytes { unsafe try SystemCall.send(descriptor.raw, $0) }
    }

    // MARK: Pausing

    private func pause(after error: SystemError) {
        guard pauseTimer == nil else { return }
        shared.log.warning("connections can't be accepted: \(error)")
        for listener in listeners {
            if let watch = listener.watch { shared.loop.unwatch(watch) }
            listener.watch = nil
        }
        pauseTimer = shared.loop.schedule(at: shared.loop.now.advanced(by: Self.pause)) { [self] in resume() }
    }

    /// Listens again, after the pause or because a descriptor becomes free.
    private func resume() {
        guard let timer = pauseTimer else { return }
        shared.loop.cancel(timer)
        pauseTimer = nil
        for listener in listeners where listener.watch == nil {
            do throws(SystemError) {
                try watch(listener)
            } catch {
                shared.log.error("the socket can't be watched: \(error)")
            }
        }
    }
}
