import EventLoop
import Glibc
import SearchModel

/// How the daemon's connections end when the daemon does.
extension Switchboard {
    /// How long a client may take to notice the end of its connection before that is closed.
    static let goodbyeMax = Duration.milliseconds(500)
    /// More than the kernel keeps for a connection, with a buffer of `ReadBuffer.bytes` each.
    private static let lastReadsMax = 16

    /// Takes nothing new in, and returns when everything in flight has been answered and sent, or at the deadline.
    ///
    /// As soon as nothing more is owed to a connection, its client sees its end; it is closed when the client has closed
    /// it too, or shortly after.
    func drain(until deadline: Instant) async {
        acceptor?.stop()
        isDraining = true
        for connection in connections.values { readLast(connection) }
        if !connections.isEmpty {
            let timer = schedule(at: deadline) { $0.endDrain() }
            await withCheckedContinuation { continuation in
                // The last one may have gone on the way here.
                if connections.isEmpty { continuation.resume() } else { drained = continuation }
            }
            loop.cancel(timer)
        }
        for connection in connections.values {
            for id in connection.inFlight.keys { end(id, with: .failure(Self.shuttingDown), connection) }
            flush(connection)
            discardInput(connection)
            drop(connection)
        }
    }

    /// Takes in what came before the daemon began to end, so that it is answered too.
    private func readLast(_ connection: Connection) {
        for _ in 0..<Self.lastReadsMax {
            guard !connection.isClosed, connection.interest.contains(.readable) else { break }
            read(connection, peerHasGone: false)
            guard !connection.isClosed, SystemCall.unreadBytes(connection.descriptor.raw) > 0 else { break }
        }
        settle(connection)
    }

    /// Tells a client whom nothing is owed that nothing more will come, and reads on without answering until it closes.
    ///
    /// Closing at once would reset the connection when the client is just sending something: it would not see the end
    /// before the error.
    func sayGoodbye(_ connection: Connection) {
        guard !connection.hasSaidGoodbye else { return }
        connection.hasSaidGoodbye = true
        connection.interest = []
        _ = shutdown(connection.descriptor.raw, Int32(SHUT_WR))
        if let watch = connection.watch { loop.unwatch(watch) }
        if let timer = connection.stallTimer { loop.cancel(timer) }
        let number = connection.number
        connection.stallTimer = loop.schedule(at: loop.now.advanced(by: Self.goodbyeMax)) { [self] in
            onLoop { board in
                guard let connection = board.connections[number] else { return }
                board.discardInput(connection)
                board.drop(connection)
            }
        }
        do throws(SystemError) {
            connection.watch = try loop.watch(connection.descriptor.raw, .readable) { [self] _ in
                // The handler runs on the loop, which is this actor's executor.
                onLoop { $0.discardInput(connection) }
            }
        } catch {
            drop(connection)
        }
    }

    /// Reads what has come, for nothing; closes when the client has closed.
    private func discardInput(_ connection: Connection) {
        for _ in 0..<Self.lastReadsMax {
            guard !connection.isClosed else { return }
            switch try? unsafe SystemCall.read(connection.descriptor.raw, into: readBuffer.memory) {
            case .bytes: continue
            case .wouldBlock: return
            case .ended, nil: return drop(connection)
            }
        }
    }

    func endDrainIfDone() {
        if isDraining, connections.isEmpty { endDrain() }
    }

    private func endDrain() {
        drained?.resume()
        drained = nil
    }
}
