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
    /// The most requests of one session that may be in flight.
    static let countMax = 4096
    /// What a request in flight takes beside its work.
    static let requestBytes = 1200

    /// The session owns this; tasks and timers keep the session alive.
    private unowned let session: Session
    private let shared: SessionResources
    private var table = RequestTable()
    /// For work under way: the sum over the requests in flight.
    private(set) var reservedBytes = 0

    init(of session: Session, _ shared: SessionResources) {
        self.session = session
        self.shared = shared
    }

    var isEmpty: Bool { table.isEmpty }
    var bytesHeld: Int { table.count * Self.requestBytes }
    var channelCount: Int { table.channelCount }
    var all: some Collection<Request> { table.all }

    func contains(_ id: RequestID) -> Bool { table.contains(id) }
    func isInBatch(_ number: UInt64) -> Bool { table[number]?.batch != nil }

    // MARK: Beginning

    /// Takes a request in; its work begins as soon as its channel and memory allow.
    func run(_ request: Request, as id: RequestID, on channel: ChannelClaim?) {
        guard table.count < Self.countMax else {
            return session.answer(id, .failure(SessionErrors.overloaded), to: request.method, in: request.batch)
        }
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
        session.output.append(request.reported.map { .notice(id, $0) })
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

    /// Begins a request's work as soon as memory allows.
    private func begin(_ number: UInt64) {
        guard let request = table[number] else { return }
        if shared.memory.admits(request.workBytes, request: number, of: session) { return start(number) }
        setTimer(of: number, at: shared.loop.now.advanced(by: SessionMemory.workWaitMax)) { requests in
            requests.finished(number, .failure(SessionErrors.memoryIsShort))
        }
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

    /// Lets a task work on a request, for which there is memory.
    func start(_ number: UInt64) {
        table.update(number) { request in
            if let timer = request.timer { shared.loop.cancel(timer) }
            request.timer = nil
            reservedBytes += request.workBytes
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
        session.account()
    }

    // MARK: Working

    /// Reports to the client what a request has found so far; waits while the reader is behind, and drops it once the
    /// request has been answered.
    func report(_ notice: StreamNotice, of number: UInt64) async {
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
        guard let (number, request) = table.remove(id) else { return }
        stop(request, number)
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
            if let (number, request) = table.remove(id) { stop(request, number) }
        }
    }

    private func stop(_ request: Request, _ number: UInt64) {
        request.task?.cancel()
        if let timer = request.timer { shared.loop.cancel(timer) }
        if request.task != nil {
            reservedBytes -= request.workBytes
        } else {
            shared.memory.withdraw(request: number, of: session)
        }
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

    /// Whether a large answer would be written now, and not be held until the reader has taken more.
    ///
    /// That of a batch is held anyway, so it may always come.
    var hasRoomForAnswer: Bool { session.requests.isInBatch(number) || session.output.hasRoomForNotice }

    /// Suspends until there may be room for a large answer, or the session has ended.
    func waitForRoom() async {
        if !hasRoomForAnswer { await session.output.waitForRoom() }
    }
}
