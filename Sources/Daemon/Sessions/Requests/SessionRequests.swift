import EventLoop
import RPC
import SearchModel

/// A request that is not answered yet: it is held still, waits for room, or a task works on it.
///
/// `@unchecked Sendable` so that its task may hold it: confined to the loop.
final class Request: @unchecked Sendable {
    typealias Work = @Sendable (RequestStream) async throws(SearchError) -> Reply

    /// A newer request may take its work over, under an id of its own.
    fileprivate(set) var id: RequestID
    let method: String
    let channel: String?
    /// Whether its hits arrive as notifications.
    let streams: Bool
    /// For the log, should it take long.
    let receivedAt: Instant
    /// About what it takes in memory.
    fileprivate let bytes: Int
    /// What its task does.
    fileprivate let work: Work
    fileprivate var batch: PendingBatch?
    /// Until when its work is held still; nil when it never was.
    fileprivate var beginsAt: Instant?
    fileprivate var task: Task<Void, Never>?
    /// Until its work begins.
    fileprivate var timer: Timer?
    /// What a stream has reported, for a request that may take it over: at most what its window has held.
    fileprivate var reported: [StreamNotice] = []
    fileprivate var isAnswered = false

    /// - Parameters:
    ///   - id: Under which it is answered.
    ///   - method: The name of its method.
    ///   - channel: Of its connection; without one none can take it over.
    ///   - streams: Whether its hits arrive as notifications.
    ///   - batch: The batch that it came in.
    ///   - receivedAt: When its line came.
    ///   - messageBytes: The length of its message: what is read from it takes several times that.
    ///   - workBytes: About what its work takes beside.
    ///   - work: What its task does.
    init(
        _ id: RequestID,
        to method: String,
        on channel: String?,
        streams: Bool = false,
        in batch: PendingBatch? = nil,
        receivedAt: Instant,
        messageBytes: Int = 0,
        workBytes: Int = 0,
        work: @escaping Work
    ) {
        (self.id, self.method, self.channel, self.streams) = (id, method, channel, streams)
        (self.batch, self.receivedAt, self.work) = (batch, receivedAt, work)
        bytes = 1024 + 8 * messageBytes + workBytes
    }
}

/// The requests of a session that are not answered at once: how they are held still, begin, change hands and end.
///
/// Each gets exactly one answer: it is in `requests` until the answer is handed to the output, and what takes it out of
/// there (its task, a cancellation, the end of the daemon) answers it.
///
/// Confined to the loop. Invariant: `bytes` is the sum over the requests, each of which is under its own id.
final class SessionRequests {
    /// The session owns this; tasks and timers keep the session alive.
    private unowned let session: Session
    private let shared: SessionResources
    private var requests: [RequestID: Request] = [:]
    private var channels = Channels()
    /// Requests whose work starts as soon as the reader has taken more.
    private var due: [Request] = []
    /// About what they take in memory.
    private(set) var bytes = 0

    init(of session: Session, _ shared: SessionResources) {
        self.session = session
        self.shared = shared
    }

    var isEmpty: Bool { requests.isEmpty }
    var count: Int { requests.count }
    var channelCount: Int { channels.count }
    var all: some Collection<Request> { requests.values }

    func contains(_ id: RequestID) -> Bool { requests[id] != nil }

    // MARK: Beginning

    /// Takes a request in; its work begins as soon as its channel allows and the reader is not behind.
    func run(_ request: Request, on channel: ChannelClaim?) {
        if let channel {
            switch channels.claimed(channel, by: request.id, now: shared.loop.now) {
            case .begins(let at, let older):
                request.beginsAt = at
                if let older { end(older, with: SessionErrors.superseded) }
            case .takesOver(let older, let at):
                if let older = requests[older] { return takeOver(older, request, beginsAt: at) }
            }
        }
        requests[request.id] = request
        bytes += request.bytes
        session.account()
        if let beginsAt = request.beginsAt { hold(request, until: beginsAt) } else { begin(request) }
    }

    /// A request that is answered at once came on a channel: it ends an older one.
    func answered(on channel: String) {
        guard let older = channels.answered(on: channel, now: shared.loop.now) else { return }
        end(older, with: SessionErrors.superseded)
    }

    /// The work of an older request goes on for a newer one.
    private func takeOver(_ older: Request, _ newer: Request, beginsAt: Instant) {
        requests[older.id] = nil
        session.answer(older.id, SessionErrors.superseded, to: older.method, in: older.batch)
        (older.id, older.batch) = (newer.id, newer.batch)
        requests[newer.id] = older
        // It may be at work already; then this changes nothing.
        older.beginsAt = older.beginsAt.map { max($0, beginsAt) }
        let now = shared.loop.now
        session.output.write { bytes in
            for notice in older.reported { bytes += WireLine.notice(notice, of: newer.id, at: now) }
        }
    }

    /// Begins a request's work at an instant, or later when a newer request has taken it over.
    private func hold(_ request: Request, until instant: Instant) {
        request.timer = shared.loop.schedule(at: instant) { [session, shared] in
            request.timer = nil
            if let later = request.beginsAt, shared.loop.now < later {
                session.requests.hold(request, until: later)
            } else {
                session.requests.begin(request)
            }
        }
    }

    private func begin(_ request: Request) {
        if session.output.hasRoom { start(request) } else { due.append(request) }
    }

    /// Starts what waits for room; requests that have ended meanwhile are passed over.
    func startDue() {
        while !due.isEmpty, session.output.hasRoom { start(due.removeFirst()) }
    }

    /// Lets a task work on a request.
    private func start(_ request: Request) {
        guard !request.isAnswered else { return }
        request.task = Task(executorPreference: shared.loop) { [session] in
            let outcome: Reply
            do throws(SearchError) {
                outcome = try await request.work(RequestStream(session: session, request: request))
            } catch {
                outcome = .failure(error)
            }
            session.requests.finished(request, outcome)
        }
    }

    // MARK: Working

    /// Reports to the client what a request has found so far; waits while the reader is behind, and drops it once the
    /// request has been answered.
    func report(_ notice: StreamNotice, of request: Request) async {
        if notice.bytesMax > SessionLimits.answerBytes { return finished(request, SessionErrors.answerTooLarge) }
        await session.write { [shared] in
            guard !request.isAnswered else { return nil }
            if request.channel != nil, notice.lasts { request.reported.append(notice) }
            return WireLine.notice(notice, of: request.id, at: shared.loop.now)
        }
    }

    // MARK: Ending

    /// A task has its answer; nothing when the request has been answered meanwhile.
    private func finished(_ request: Request, _ outcome: Reply) {
        shared.loop.checkIsolated()
        guard !request.isAnswered else { return }
        end(request.id, with: outcome)
        session.flushAndSettle()
    }

    /// Answers a request and ends its work; nothing when it is not in flight.
    func end(_ id: RequestID, with outcome: Reply) {
        guard let request = requests[id] else { return }
        remove(request)
        let summary = RequestSummary(method: request.method, peer: session.peer, error: outcome.errorKind)
        shared.log.answered(summary, after: request.receivedAt.duration(to: shared.loop.now))
        session.answer(id, outcome, to: request.method, in: request.batch)
    }

    /// Answers all that is in flight.
    func endAll(with outcome: Reply) {
        for id in Array(requests.keys) { end(id, with: outcome) }
    }

    /// Ends all work without an answer: the session is closed.
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
        if let timer = request.timer { shared.loop.cancel(timer) }
        request.timer = nil
        if let channel = request.channel { channels.ended(request.id, on: channel) }
    }
}

/// The way from a running request to its client: notifications before the answer, held back by the reader.
struct RequestStream: Sendable {
    let session: Session
    let request: Request

    /// Sends one notice, on the loop; waits while the reader is behind, and drops it once the request has ended.
    func tell(_ notice: StreamNotice) async {
        await session.requests.report(notice, of: request)
    }
}
