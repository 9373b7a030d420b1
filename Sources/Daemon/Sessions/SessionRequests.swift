import EventLoop
import JSON
import RPC
import SearchModel

/// A request that is not answered yet: it waits for its channel or for room, or a task works on it.
///
/// `@unchecked Sendable` so that its task may hold it: confined to the loop.
final class Request: @unchecked Sendable {
    typealias Work = @Sendable (RequestStream) async throws(SearchError) -> Reply

    let id: RequestID
    let method: String
    let channel: String?
    /// Whether its hits arrive as notifications.
    let streams: Bool
    let receivedAt: Instant
    fileprivate let batch: PendingBatch?
    /// The approximate memory use.
    fileprivate let bytes: Int
    fileprivate let work: Work
    fileprivate var task: Task<Void, Never>?
    /// Until its work begins.
    fileprivate var timer: Timer?
    fileprivate var isAnswered = false

    /// - Parameters:
    ///   - id: The id of its answer.
    ///   - method: The name of its method.
    ///   - channel: Its channel, if any.
    ///   - streams: Whether its hits arrive as notifications.
    ///   - batch: The batch that it belongs to.
    ///   - receivedAt: When its line arrived.
    ///   - bytes: The length of its message, and the approximate memory of its work.
    ///   - work: What its task does.
    init(
        _ id: RequestID,
        to method: String,
        on channel: String?,
        streams: Bool,
        in batch: PendingBatch?,
        receivedAt: Instant,
        bytes: (message: Int, work: Int),
        work: @escaping Work
    ) {
        (self.id, self.method, self.channel, self.streams) = (id, method, channel, streams)
        (self.batch, self.receivedAt, self.work) = (batch, receivedAt, work)
        // Parsed parameters take several times the memory of their text.
        self.bytes = 1024 + 8 * bytes.message + bytes.work
    }
}

/// The requests of a session that are not answered at once.
///
/// Each gets exactly one answer: its task, a cancellation or the end of the daemon removes it from `requests` and
/// answers it.
///
/// Confined to the loop. Invariant: `bytes` is the sum over the requests.
final class SessionRequests {
    /// The session owns this; tasks and timers keep the session alive.
    private unowned let session: Session
    private let server: ConnectionServer
    private var requests: [RequestID: Request] = [:]
    private var channels = Channels()
    /// Requests whose work starts once the reader has accepted more data.
    private var due: [Request] = []
    private(set) var bytes = 0

    init(of session: Session, _ server: ConnectionServer) {
        self.session = session
        self.server = server
    }

    var isEmpty: Bool { requests.isEmpty }
    var count: Int { requests.count }
    var channelCount: Int { channels.count }
    var all: some Collection<Request> { requests.values }

    func contains(_ id: RequestID) -> Bool { requests[id] != nil }

    // MARK: Beginning

    /// Adds a request; its work begins when its channel allows it and the output has room.
    func run(_ request: Request, on channel: ChannelClaim?) {
        var beginsAt: Instant?
        if let channel {
            let claimed = channels.claim(channel, by: request.id, now: server.loop.now)
            beginsAt = claimed.beginsAt
            if let older = claimed.ends { end(older, with: SessionErrors.superseded) }
        }
        requests[request.id] = request
        bytes += request.bytes
        session.account()
        guard let beginsAt else { return begin(request) }
        request.timer = server.loop.schedule(at: beginsAt) { [session] in
            request.timer = nil
            session.requests.begin(request)
        }
    }

    /// Ends the older request on a channel, because a newer one is answered at once.
    func answered(on channel: String) {
        guard let older = channels.answered(on: channel, now: server.loop.now) else { return }
        end(older, with: SessionErrors.superseded)
    }

    private func begin(_ request: Request) {
        if session.output.hasRoom { start(request) } else { due.append(request) }
    }

    /// Starts the requests that wait for room.
    func startDue() {
        while !due.isEmpty, session.output.hasRoom { start(due.removeFirst()) }
    }

    private func start(_ request: Request) {
        guard !request.isAnswered else { return }
        request.task = Task(executorPreference: server.loop) { [session] in
            let outcome: Reply
            do throws(SearchError) {
                outcome = try await request.work(RequestStream(session: session, request: request))
            } catch {
                outcome = .failure(error)
            }
            session.requests.finished(request, outcome)
        }
    }

    // MARK: Ending

    /// Answers a request whose task is done, unless it has been answered.
    fileprivate func finished(_ request: Request, _ outcome: Reply) {
        server.loop.checkIsolated()
        guard !request.isAnswered else { return }
        end(request.id, with: outcome)
        session.flushAndSettle()
    }

    /// Answers a request and ends its work, if it is in flight.
    func end(_ id: RequestID, with outcome: Reply) {
        guard let request = requests[id] else { return }
        remove(request)
        let elapsed = request.receivedAt.duration(to: server.loop.now)
        server.log.answered(request.method, of: session.peer, error: outcome.errorKind, after: elapsed)
        session.answer(id, outcome, to: request.method, in: request.batch)
    }

    /// Answers all requests in flight.
    func endAll(with outcome: Reply) {
        for id in Array(requests.keys) { end(id, with: outcome) }
    }

    /// Ends all work without an answer.
    func cancelAll() {
        for request in Array(requests.values) { remove(request) }
        due = []
    }

    private func remove(_ request: Request) {
        requests[request.id] = nil
        bytes -= request.bytes
        request.isAnswered = true
        request.task?.cancel()
        request.task = nil
        if let timer = request.timer.take() { server.loop.cancel(timer) }
        if let channel = request.channel { channels.ended(request.id, on: channel) }
    }
}

/// Sends the notifications of a running request to its client, before the answer.
struct RequestStream: Sendable {
    let session: Session
    let request: Request

    /// Sends a notification about the request; waits for room in the output, and drops it after the answer.
    ///
    /// - Parameters:
    ///   - method: The notification.
    ///   - bytesMax: About the length of its line, at most; the request fails if it is too long for one.
    ///   - params: Writes the members of its parameters, except `request`.
    func send(
        _ method: NotificationName,
        bytesMax: Int = 1024,
        _ params: (inout JSONWriter, Instant) -> Void
    ) async {
        guard bytesMax <= SessionLimits.answerBytes else {
            return session.requests.finished(request, SessionErrors.answerTooLarge)
        }
        await session.write {
            guard !request.isAnswered else { return nil }
            return WireLine.notice(method.rawValue) { writer in
                writer.object { writer in
                    writer.member(.request, raw: request.id.text)
                    params(&writer, session.server.loop.now)
                }
            }
        }
    }
}
