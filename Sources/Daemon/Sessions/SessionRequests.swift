import EventLoop
import JSON
import RPC
import SearchModel

/// A request that is not yet answered; used only on the loop, so `@unchecked` is safe.
final class Request: @unchecked Sendable {
    typealias Work = @Sendable (RequestStream) async throws(SearchError) -> Reply

    let id: RequestID
    let method: String
    let channel: String?
    let streams: Bool
    let receivedAt: Instant
    fileprivate let batch: PendingBatch?
    fileprivate let bytes: Int
    fileprivate let work: Work
    fileprivate var task: Task<Void, Never>?
    fileprivate var timer: Timer?
    fileprivate var isAnswered = false

    /// `bytes` has the length of the message, and the approximate memory of the work.
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
        self.bytes = 1024 + 8 * bytes.message + bytes.work
    }
}

/// A session's requests that cannot be answered at once; used only on the loop.
final class SessionRequests {
    /// `unowned` is safe, because tasks and timers that use this object keep the session alive.
    private unowned let session: Session
    private let server: ConnectionServer
    /// Answered requests are removed, so each request gets at most one answer.
    private var requests: [RequestID: Request] = [:]
    private var channels = Channels()
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

    func answered(on channel: String) {
        guard let older = channels.answered(on: channel, now: server.loop.now) else { return }
        end(older, with: SessionErrors.superseded)
    }

    private func begin(_ request: Request) {
        if session.output.hasRoom { start(request) } else { due.append(request) }
    }

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

    fileprivate func finished(_ request: Request, _ outcome: Reply) {
        server.loop.checkIsolated()
        guard !request.isAnswered else { return }
        end(request.id, with: outcome)
        session.flushAndSettle()
    }

    func end(_ id: RequestID, with outcome: Reply) {
        guard let request = requests[id] else { return }
        remove(request)
        let elapsed = request.receivedAt.duration(to: server.loop.now)
        server.log.answered(request.method, of: session.peer, error: outcome.errorKind, after: elapsed)
        session.answer(id, outcome, to: request.method, in: request.batch)
    }

    func endAll(with outcome: Reply) {
        for id in Array(requests.keys) { end(id, with: outcome) }
    }

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

/// Sends notifications about a request to its client.
struct RequestStream: Sendable {
    let session: Session
    let request: Request

    /// Waits for room in the output; `params` writes all members except `request`.
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
