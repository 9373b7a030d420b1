import EventLoop
import RPC
import SearchModel

/// Requests that tasks work on: how they begin, hold still, change hands and end.
extension Switchboard {
    typealias Work = @Sendable (RequestStream) async throws(SearchError) -> Reply

    func run(
        _ call: Call,
        _ method: String,
        _ channel: ChannelClaim?,
        streams: Bool,
        memory bytes: Int,
        _ work: @escaping Work,
        _ connection: Connection,
        _ batch: PendingBatch?
    ) {
        let id = call.id
        guard connection.inFlight.count < Connection.requestsInFlightMax else {
            return reply(id, .failure(Self.overloaded), to: method, connection, batch)
        }
        var beginsAt: Instant?
        if let channel {
            switch connection.channels.claimed(channel, by: id, now: loop.now) {
            case .begins(let at, let older):
                beginsAt = at
                if let older { end(older, with: Self.superseded, connection) }
            case .takesOver(let older, let at):
                if takeOver(older, as: id, connection, batch, beginsAt: at) { return }
            }
        }
        let stream = RequestStream(board: self, connection: connection.number, request: takeNumber(), id: id)
        let holdsStill = beginsAt != nil
        let task = Task(executorPreference: loop) {
            let outcome: Reply
            do throws(SearchError) {
                if holdsStill { try await self.holdStill(stream) }
                try await self.waitForMemory(bytes, stream)
                outcome = try await work(stream)
            } catch {
                outcome = .failure(error)
            }
            await self.finished(stream, outcome)
        }
        connection.inFlight[id] = Connection.InFlightRequest(
            number: stream.request,
            method: method,
            task: task,
            batch: batch,
            channel: channel?.name,
            streams: streams,
            beginsAt: beginsAt,
            receivedAt: call.receivedAt
        )
    }

    /// The work of an older request goes on for a newer one; false when the older is not in flight.
    private func takeOver(
        _ older: RequestID,
        as id: RequestID,
        _ connection: Connection,
        _ batch: PendingBatch?,
        beginsAt: Instant
    ) -> Bool {
        guard var request = connection.inFlight.removeValue(forKey: older) else { return false }
        reply(older, Self.superseded, to: request.method, connection, request.batch)
        request.batch = batch
        // It may be at work already; then this changes nothing.
        request.beginsAt = request.beginsAt.map { max($0, beginsAt) }
        connection.inFlight[id] = request
        connection.takenOver[request.number] = id
        tellAgain(request, to: id, connection)
        return true
    }

    /// Waits until a request may begin, which a newer one that takes it over may put off.
    private func holdStill(_ stream: RequestStream) async throws(SearchError) {
        while let connection = connections[stream.connection],
            let beginsAt = connection.inFlight[connection.currentID(of: stream)]?.beginsAt, loop.now < beginsAt
        {
            do {
                try await loop.sleep(until: beginsAt)
            } catch {
                throw Self.cancelled
            }
        }
    }

    /// A task has its answer; nothing when somebody else has answered meanwhile.
    func finished(_ stream: RequestStream, _ outcome: Reply) {
        guard let connection = connections[stream.connection] else { return }
        let id = connection.currentID(of: stream)
        guard connection.inFlight[id]?.number == stream.request else { return }
        end(id, with: outcome, connection)
        flush(connection)
        settle(connection)
    }

    /// Takes a request out of flight and answers it.
    func end(_ id: RequestID, with outcome: Reply, _ connection: Connection) {
        guard let request = connection.inFlight.removeValue(forKey: id) else { return }
        request.task.cancel()
        giveBackMemory(of: request, connection)
        connection.takenOver[request.number] = nil
        if let channel = request.channel { connection.channels.ended(id, on: channel) }
        let summary = RequestSummary(method: request.method, peer: connection.peer, error: outcome.errorKind)
        log.answered(summary, after: request.receivedAt.duration(to: loop.now))
        reply(id, outcome, to: request.method, connection, request.batch)
    }
}
