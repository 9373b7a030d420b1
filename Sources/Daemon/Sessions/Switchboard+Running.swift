import EventLoop
import RPC
import SearchModel

/// Requests that are not answered at once: how they hold still, begin, change hands and end.
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
        connection.inFlight[id] = Connection.InFlightRequest(
            stream: stream,
            method: method,
            work: work,
            workBytes: bytes,
            batch: batch,
            channel: channel?.name,
            streams: streams,
            beginsAt: beginsAt,
            receivedAt: call.receivedAt
        )
        if let beginsAt { holdStill(stream, until: beginsAt, connection) } else { beginWork(stream, connection) }
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

    /// Begins a request's work at an instant, or later when a newer request has taken it over.
    private func holdStill(_ stream: RequestStream, until instant: Instant, _ connection: Connection) {
        connection.update(stream) { request in
            request.timer = loop.schedule(at: instant) { [self] in
                onLoop { board in
                    guard let connection = board.connections[stream.connection],
                        let request = connection.request(of: stream)
                    else { return }
                    if let later = request.beginsAt, board.loop.now < later {
                        board.holdStill(stream, until: later, connection)
                    } else {
                        board.beginWork(stream, connection)
                    }
                }
            }
        }
    }

    /// Lets a task work on a request.
    func startTask(_ stream: RequestStream, _ connection: Connection) {
        connection.update(stream) { request in
            if let timer = request.timer { loop.cancel(timer) }
            request.timer = nil
            request.task = Task(executorPreference: loop) { [work = request.work] in
                let outcome: Reply
                do throws(SearchError) {
                    outcome = try await work(stream)
                } catch {
                    outcome = .failure(error)
                }
                await self.finished(stream, outcome)
            }
        }
    }

    /// Ends what is done for a request that is no longer in flight.
    func stop(_ request: Connection.InFlightRequest, _ connection: Connection) {
        request.task?.cancel()
        if let timer = request.timer { loop.cancel(timer) }
        giveBackMemory(of: request, connection)
    }

    /// A task has its answer; nothing when somebody else has answered meanwhile.
    func finished(_ stream: RequestStream, _ outcome: Reply) {
        guard let connection = connections[stream.connection] else { return }
        guard connection.request(of: stream) != nil else { return }
        end(connection.currentID(of: stream), with: outcome, connection)
        flush(connection)
        settle(connection)
    }

    /// Takes a request out of flight and answers it.
    func end(_ id: RequestID, with outcome: Reply, _ connection: Connection) {
        guard let request = connection.inFlight.removeValue(forKey: id) else { return }
        stop(request, connection)
        connection.takenOver[request.number] = nil
        if let channel = request.channel { connection.channels.ended(id, on: channel) }
        let summary = RequestSummary(method: request.method, peer: connection.peer, error: outcome.errorKind)
        log.answered(summary, after: request.receivedAt.duration(to: loop.now))
        reply(id, outcome, to: request.method, connection, request.batch)
    }
}
