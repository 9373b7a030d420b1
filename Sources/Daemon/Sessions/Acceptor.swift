import EventLoop
import Glibc
import SearchModel

/// Accepts the connections of the daemon's listening sockets; used only on the loop, so `@unchecked` is safe.
final class Acceptor: @unchecked Sendable {
    /// The maximum number in one turn of the event loop, so that new connections do not delay other clients.
    private static let acceptsPerTurnMax = 64
    private static let pause = Duration.milliseconds(250)

    private struct Listener {
        let descriptor: Int32
        let isShared: Bool
        var watch: Watch?
    }

    private unowned let server: ConnectionServer
    private var listeners: [Listener] = []
    private var pauseTimer: Timer?

    init(_ server: ConnectionServer) {
        self.server = server
    }

    /// `isShared` is true if systemd also has the socket open.
    func listen(on descriptor: consuming FileDescriptor, isShared: Bool) throws(SystemError) {
        server.loop.checkIsolated()
        listeners.append(Listener(descriptor: descriptor.release(), isShared: isShared))
        try watchAll()
    }

    /// Before closing a socket, accepts its waiting connections, unless systemd keeps the socket open.
    func stop() {
        server.loop.checkIsolated()
        for listener in listeners {
            if let watch = listener.watch { server.loop.unwatch(watch) }
            if !listener.isShared { acceptWaiting(of: listener) }
            close(listener.descriptor)
        }
        listeners = []
        if let timer = pauseTimer.take() { server.loop.cancel(timer) }
    }

    private func watchAll() throws(SystemError) {
        for index in listeners.indices where listeners[index].watch == nil {
            let watch = try server.loop.watch(listeners[index].descriptor, .readable) { [self] _ in acceptAll() }
            listeners[index].watch = watch
        }
    }

    private func acceptAll() {
        for listener in listeners where listener.watch != nil {
            do throws(SystemError) {
                for _ in 0..<Self.acceptsPerTurnMax {
                    guard let descriptor = try SystemCall.accept(listener.descriptor) else { break }
                    // False means that `open` had to look for an idle connection, which is slow. So stop
                    // here, and let the event loop handle other events.
                    if !open(descriptor) { break }
                }
            } catch {
                return pause(after: error)
            }
        }
    }

    private func acceptWaiting(of listener: Listener) {
        for _ in 0..<server.usage.limits.connections {
            guard let descriptor = try? SystemCall.accept(listener.descriptor), open(descriptor) else { return }
        }
    }

    private func open(_ descriptor: consuming FileDescriptor) -> Bool {
        let peer: Peer
        do throws(SystemError) {
            peer = try Peer(of: descriptor.raw)
        } catch {
            server.log.warning("a connection is refused because its user is unknown: \(error)")
            return true
        }
        let hasRoom = server.usage.admitsConnection(of: peer.userID)
        if hasRoom || server.closeLongestIdle(of: peer.userID) {
            server.serve(descriptor, of: peer)
        } else {
            server.counters.connectionsRefused += 1
            let line = WireLine.refusal(server.usage.refusal(of: peer.userID), at: server.loop.now)
            // A failure is ignored. The line is valid during the call.
            _ = try? unsafe line.withUnsafeBytes { unsafe try SystemCall.send(descriptor.raw, $0) }
        }
        return hasRoom
    }

    private func pause(after error: SystemError) {
        guard pauseTimer == nil else { return }
        server.log.warning("connections can't be accepted: \(error)")
        for index in listeners.indices {
            if let watch = listeners[index].watch.take() { server.loop.unwatch(watch) }
        }
        resumeLater()
    }

    private func resumeLater() {
        pauseTimer = server.loop.schedule(at: server.loop.now.advanced(by: Self.pause)) { [self] in
            pauseTimer = nil
            do throws(SystemError) {
                try watchAll()
            } catch {
                server.log.error("the socket can't be watched: \(error)")
                resumeLater()
            }
        }
    }
}
