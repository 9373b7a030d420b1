import RPC

/// The way from a running request to its client: notifications before the answer, held back by the reader.
struct RequestStream: Sendable {
    let board: Switchboard
    let connection: UInt64
    let request: UInt64
    let id: RequestID

    /// Sends one line; waits while the reader is behind, and drops it once the request has been answered or ended.
    func send(_ line: [UInt8]) async {
        await board.notify(self, line)
    }
}

extension Switchboard {
    func notify(_ stream: RequestStream, _ line: [UInt8]) async {
        while let connection = connections[stream.connection], connection.inFlight[stream.id]?.number == stream.request
        {
            if connection.outbox.unsentBytes < outputLimit, !connection.outbox.hasWaiting {
                scratch.append(contentsOf: line)
                flush(connection)
                settle(connection)
                return
            }
            // After the wait the connection and the request are looked up anew: both may be gone.
            await withCheckedContinuation { connection.writers.append($0) }
        }
    }
}
