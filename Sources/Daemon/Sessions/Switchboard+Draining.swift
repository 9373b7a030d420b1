import EventLoop
import SearchModel

/// How the daemon's connections end when the daemon does.
extension Switchboard {
    /// Takes nothing new in, and returns when everything in flight has been answered and sent, or at the deadline.
    ///
    /// Each connection is closed as soon as it is owed nothing more.
    func drain(until deadline: Instant) async {
        acceptor?.stop()
        isDraining = true
        reload = nil
        for connection in connections.values { readLast(connection) }
        if !connections.isEmpty {
            let timer = loop.schedule(at: deadline) { [self] in assumeIsolated { $0.endDrain() } }
            await withCheckedContinuation { continuation in
                // The last one may have gone on the way here.
                if connections.isEmpty { continuation.resume() } else { drained = continuation }
            }
            loop.cancel(timer)
        }
        for connection in connections.values {
            for id in connection.inFlight.keys { end(id, with: .failure(Self.shuttingDown), connection) }
            flush(connection)
            drop(connection)
        }
    }

    /// Takes in what came before the daemon began to end, so that it is answered too, and closes what is owed nothing.
    private func readLast(_ connection: Connection) {
        guard !connection.isClosed else { return }
        if connection.interest.contains(.readable) { read(connection, peerHasGone: false) }
        settle(connection)
    }

    func endDrainIfDone() {
        if isDraining, connections.isEmpty { endDrain() }
    }

    private func endDrain() {
        drained?.resume()
        drained = nil
    }
}
