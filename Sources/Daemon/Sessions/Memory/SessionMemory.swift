import Engine
import EventLoop
import SearchModel

/// The memory that sessions hold together: counted, kept within the budget, handed back to the system.
///
/// While it is short, work waits for its turn, sessions are held back, and readers that take nothing are dropped.
///
/// `@unchecked Sendable` so that its timer may hold it: confined to the loop.
final class SessionMemory: @unchecked Sendable {
    /// How often held back sessions, and readers that take nothing, are looked at while memory is short.
    private static let watchPause = Duration.milliseconds(50)
    /// After so long, calls that were under way have ended.
    private static let callsEnd = SearchRequest.timeoutDefault + .seconds(2)
    /// How long work may wait for memory.
    static let workWaitMax = Duration.seconds(8)

    private let loop: EventLoop
    private let log: Log
    private let table: SessionTable
    private var work = WorkQueue<Session>()
    private var heldBack: [UInt64: Session] = [:]
    private var peak = MemoryPeak()
    private var timer: Timer?
    var budget = MemoryBudget()
    /// Gives what the allocator keeps free back to the system.
    var releaseFreeMemory: @Sendable () -> Void = {}

    init(on loop: EventLoop, _ log: Log, _ table: SessionTable) {
        self.loop = loop
        self.log = log
        self.table = table
    }

    /// What one session may hold before it is held back.
    var shareBytes: Int { budget.shareBytes }
    /// The unsent bytes at which a session is held back.
    var outputLimit: Int { min(Outbox.bytesMax, budget.shareBytes) }

    /// Brings the budget in line with what a session holds, and closes who holds most when it is exceeded.
    func changed(from before: Holdings, to holdings: Holdings) {
        budget.changed(from: before, to: holdings)
        while budget.isExceeded, let largest = largestHolder {
            log.warning("a connection of user \(largest.peer.userID) is dropped: it holds too much memory")
            largest.close()
        }
        if isShort { watch() }
        if peak.isPast(budget.bytesUsed + table.count * MemoryPeak.connectionBytes) {
            releaseFreeMemory()
            // Calls to sources that no caller waits for any more end by themselves, and so does what they hold.
            _ = loop.schedule(at: loop.now.advanced(by: Self.callsEnd)) { [releaseFreeMemory] in releaseFreeMemory() }
        }
    }

    /// Of the sessions that keep the daemon waiting, or else of all, the one that holds most.
    private var largestHolder: Session? {
        let now = loop.now
        let stalled = table.all.filter { $0.output.isStalledUnderPressure(at: now) }
        return (stalled.isEmpty ? Array(table.all) : stalled).max { $0.counted.bytes < $1.counted.bytes }
    }

    // MARK: Watching

    private var isShort: Bool { budget.isPressed || !work.isEmpty || !heldBack.isEmpty }

    private func watch() {
        guard timer == nil else { return }
        timer = loop.schedule(at: loop.now.advanced(by: Self.watchPause)) { [self] in look() }
    }

    private func look() {
        timer = nil
        if budget.isPressed || !work.isEmpty { closeStalled() }
        for session in heldBack.values { session.settle() }
        startWork()
        if isShort { watch() }
    }

    private func closeStalled() {
        let now = loop.now
        for session in table.all where session.output.isStalledUnderPressure(at: now) {
            session.closeStalled("it does not read, and memory is short")
        }
    }

    /// Looks at a session again when others hold less.
    func holdBack(_ session: Session) {
        heldBack[session.number] = session
        watch()
    }

    /// A session is held back no longer.
    func letGo(_ session: Session) {
        heldBack[session.number] = nil
    }

    // MARK: Work

    /// Whether a request's work may start now; if not, the session is asked to start it when it may.
    func admits(_ bytes: Int, request number: UInt64, of session: Session) -> Bool {
        if bytes == 0 || !work.hasWaiting(of: session.number) && budget.admits(bytes, to: session.holdings) {
            return true
        }
        work.add(
            WorkQueue.Waiting(number: number, bytes: bytes, request: session),
            of: session.number,
            holdsNothing: session.requests.reservedBytes == 0
        )
        watch()
        return false
    }

    /// Starts the work of the requests whose turn it is, as far as memory allows.
    func startWork() {
        while !work.isEmpty,
            let (waiting, _) = work.next(where: { waiting, _ in
                budget.admits(waiting.bytes, to: waiting.request.holdings)
            })
        {
            waiting.request.requests.start(waiting.number)
        }
    }

    /// A request waits no longer; nothing when it didn't.
    func withdraw(request number: UInt64, of session: Session) {
        work.remove(number, of: session.number)
    }
}
