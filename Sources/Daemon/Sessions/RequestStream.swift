import EventLoop
import RPC

/// The way from a running request to its client: notifications before the answer, held back by the reader.
struct RequestStream: Sendable {
    let board: Switchboard
    let connection: UInt64
    let request: UInt64
    let id: RequestID

    /// Tells one thing; waits while the reader is behind, and drops it once the request has been answered or ended.
    func tell(_ notice: StreamNotice) async {
        await board.tell(notice, on: self)
    }
}

extension Switchboard {
    func tell(_ notice: StreamNotice, on stream: RequestStream) async {
        // After each wait the connection and the request are looked up anew: both may be gone, or the request another's.
        while let connection = connections[stream.connection] {
            let id = connection.currentID(of: stream)
            guard connection.inFlight[id]?.number == stream.request else { return }
            if hasRoom(connection) {
                scratch.append(contentsOf: notice.line(of: id, at: loop.now))
                if notice.lasts { connection.inFlight[id]?.noteTold(notice) }
                flush(connection)
                settle(connection)
                return
            }
            await withCheckedContinuation { continuation in
                // Room may have been made on the way here, or the connection dropped.
                let mustWait = connections[stream.connection] != nil && !hasRoom(connection)
                if mustWait { connection.writers.append(continuation) } else { continuation.resume() }
            }
        }
    }

    private func hasRoom(_ connection: Connection) -> Bool {
        connection.outbox.unsentBytes < outputLimit && !connection.outbox.hasWaiting && connection.openBatch == nil
    }

    /// Tells whoever has taken a request over what it has told so far.
    func tellAgain(_ request: Connection.InFlightRequest, to id: RequestID, _ connection: Connection) {
        hand(request.told.map { .notice(id, $0) }, connection)
    }
}
