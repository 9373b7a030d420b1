import EventLoop
import RPC
import SearchModel

/// The requests of a session that are not answered at once: how they are held still, begin, change hands and end.
///
/// Each gets exactly one answer: it is in `table` until the answer is handed to the output, and what takes it out of
/// there (its task, a cancellation, the end of the daemon) answers it.
///
/// Confined to the loop.
final class SessionRequests {
    /// The session owns this; tasks and timers keep the session alive.
    private unowned let session: Session
    private let shared: SessionResources
    private var table = RequestTable()
    /// Requests whose work starts as soon as the reader has taken more.
    private var due: [UInt64] = []

    init(of session: Session, _ shared: SessionResources) {
        self.session = session
        self.shared = shared
    }

    var isEmpty: Bool { table.isEmpty }
    var count: Int { table.count }
    /// About what they take in memory.
    var bytes: Int { table.bytes }
    var channelCount: Int { table.channelCount }
    var all: some Collection<Request> { table.all }

    func contains(_ id: RequestID) -> Bool { table.contains(id) }

    // MARK: Beginning

    /// Takes a request in; its work begins as soon as its channel allows and the reader is not behind.
    func run(_ request: Request, as id: RequestID, on channel: ChannelClaim?) {
        var request = request
        if let channel {
            switch table.claim(channel, by: id, now: shared.loop.now) {
            case .begins(let at, let older):
                request.beginsAt = at
                if let older { end(older, with: SessionErrors.superseded) }
            case .takesOver(let older, let at):
                if takeOver(older, as: id, request.batch, beginsAt: at) { return }
            }
        }
        let number = table.add(request, as: id)
        session.account()
        if let beginsAt = request.beginsAt { hold(number, until: beginsAt) } else { begin(number) }
    }

    /// A request that is answered at once came on a channel: it ends an older one.
    func answered(on channel: String) {
        guard let older = table.answered(on: channel, now: shared.loop.now) else { return }
        end(older, with: SessionErrors.superseded)
    }

    /// The work of an older request goes on for a newer one; false when the older is not in flight.
    private func takeOver(
        _ older: RequestID,
        as id: RequestID,
        _ batch: PendingBatch?,
        beginsAt: Instant
    ) -> Bool {
        guard let number = table.rename(older, to: id), let request = table[number] else { return false }
        session.answer(older, SessionErrors.superseded, to: request.method, in: request.batch)
        table.update(number) { request in
            request.batch = batch
            // It may be at work already; then this changes nothing.
            request.beginsAt = request.beginsAt.map { max($0, beginsAt) }
        }
        let now = shared.loop.now
        session.output.write { bytes in
            for notice in request.reported { bytes += WireLine.notice(notice, of: id, at: now) }
        }
        return true
    }

    /// Begins a request's work at an instant, or later when a newer request has taken it over.
    private func hold(_ number: UInt64, until instant: Instant) {
        setTimer(of: number, at: instant) { requests in
            guard let request = requests.table[number] else { return }
            if let later = request.beginsAt, requests.shared.loop.now < later {
                requests.hold(number, until: later)
            } else {
                requests.begin(number)
            }
        }
    }

    private func begin(_ number: UInt64) {
        if session.output.hasRoom { start(number) } else { due.append(number) }
    }

    /// Starts what waits for room; those that have ended meanwhile are passed over.
    func startDue() {
        while !due.isEmpty, session.output.hasRoom { start(due.removeFirst()) }
    }

    private func setTimer(
        of number: UInt64,
        at instant: Instant,
        _ action: @escaping @Sendable (SessionRequests) -> Void
    ) {
        table.update(number) { request in
            request.timer = shared.loop.schedule(at: instant) { [session] in action(session.requests) }
        }
    }

    /// Lets a task work on a request.
    private func start(_ number: UInt64) {
        table.update(number) { request in
            if let timer = request.timer { shared.loop.cancel(timer) }
            request.timer = nil
            request.task = Task(executorPreference: shared.loop) { [session, work = request.work] in
                let outcome: Reply
                do throws(SearchError) {
                    outcome = try await work(RequestStream(session: session, number: number))
                } catch {
                    outcome = .failure(error)
                }
                session.requests.finished(number, outcome)
            }
        }
    }

    // MARK: Working

    /// Reports to the client what a request has found so far; waits while the reader is behind, and drops it once the
    /// request has been answered.
    func report(_ notice: StreamNotice, of number: UInt64) async {
        if notice.bytesMax > SessionLimits.answerBytes { return finished(number, SessionErrors.answerTooLarge) }
        await session.write { [self] in
            // Another request may have taken it over meanwhile.
            guard let id = table.id(of: number) else { return nil }
            table.update(number) { $0.note(notice) }
            return WireLine.notice(notice, of: id, at: shared.loop.now)
        }
    }

    // MARK: Ending

    /// A task has its answer; nothing when the request has been answered meanwhile.
    private func finished(_ number: UInt64, _ outcome: Reply) {
        shared.loop.checkIsolated()
        guard let id = table.id(of: number) else { return }
        end(id, with: outcome)
        session.flushAndSettle()
    }

    /// Answers a request and ends its work; nothing when it is not in flight.
    func end(_ id: RequestID, with outcome: Reply) {
        guard let (_, request) = table.remove(id) else { return }
        stop(request)
        let summary = RequestSummary(method: request.method, peer: session.peer, error: outcome.errorKind)
        shared.log.answered(summary, after: request.receivedAt.duration(to: shared.loop.now))
        session.answer(id, outcome, to: request.method, in: request.batch)
    }

    /// Answers all that is in flight.
    func endAll(with outcome: Reply) {
        for id in table.allIDs { end(id, with: outcome) }
    }

    /// Ends all work without an answer: the session is closed.
    func cancelAll() {
        for id in table.allIDs {
            if let (_, request) = table.remove(id) { stop(request) }
        }
    }

    private func stop(_ request: Request) {
        request.task?.cancel()
        if let timer = request.timer { shared.loop.cancel(timer) }
    }
}

/// The way from a running request to its client: notifications before the answer, held back by the reader.
struct RequestStream: Sendable {
    let session: Session
    /// Which of the session's requests it is.
    let number: UInt64

    /// Sends one notice, on the loop; waits while the reader is behind, and drops it once the request has ended.
    func tell(_ notice: StreamNotice) async {
        await session.requests.report(notice, of: number)
    }
}
