import EventLoop
import JSON
import RPC
import SearchModel

/// Gets the snapshots over one connection, and reconnects when the daemon was restarted.
struct TopFeed: ~Copyable {
    private static let timeoutSeconds = 5

    private let connector: Connector
    private var exchange: DaemonConnection
    private var lastID = 0
    /// Requests of our own that the daemon has counted, up to the last snapshot.
    private var ownRequests = 0
    private var uptime = 0.0

    init(_ connector: Connector) throws(ClientError) {
        self.connector = connector
        exchange = try connector.connect()
    }

    /// The figures of this moment, given in seconds since 1970.
    mutating func next(now: Int64) throws(ClientError) -> TopSnapshot {
        do throws(ClientError) {
            return try ask(now)
        } catch {
            // The daemon may have been restarted: the new one is used.
            guard error.code == .connectionLost || error.code == .init(.shuttingDown) else { throw error }
            exchange = try connector.connect()
            return try ask(now)
        }
    }

    private mutating func ask(_ now: Int64) throws(ClientError) -> TopSnapshot {
        let deadline = Instant.now.advanced(by: .seconds(Self.timeoutSeconds))
        let snapshot = try DaemonSnapshot(of: &exchange, until: deadline, firstID: lastID + 1)
        lastID += DaemonSnapshot.idCount
        // A new daemon counts from zero.
        let uptime = snapshot.stats[.uptime]?.double ?? 0
        if uptime < self.uptime { ownRequests = 0 }
        self.uptime = uptime
        let own = ownRequests + DaemonSnapshot.countedInStats
        ownRequests += DaemonSnapshot.idCount
        return TopSnapshot(snapshot, at: Double(Instant.now.nanoseconds) / 1e9, now: now, ownRequests: own)
    }
}
