import Engine
import EventLoop
import Glibc

/// The sessions of one daemon, and what they share.
///
/// `@unchecked Sendable` so that methods and timers may hold it: confined to the loop.
final class SessionResources: @unchecked Sendable {
    /// Buffered bytes of which it is worth to give the memory back to the system once they are gone.
    private static let peakBytesMin = 4 << 20

    let loop: EventLoop
    let log: Log
    let counters = Counters()
    let readBuffer = ReadBuffer()
    /// Answers of the step under way, for the session that it serves.
    var scratch: [UInt8] = []
    /// Nothing new is taken in, and each session ends as soon as nothing is owed to its client.
    var isDraining = false
    var usage = SessionUsage()
    /// Gives what the allocator keeps free back to the system.
    var releaseFreeMemory: @Sendable () -> Void = {}
    /// Called when a session has ended.
    var ended: () -> Void = {}
    private var sessions: [UInt64: Session] = [:]
    private var lastNumber: UInt64 = 0
    /// Sessions that are not read because of what others use.
    private var held: [UInt64: Session] = [:]
    private var isReleasing = false
    private var peakBytes = 0
    private var whenEmpty: CheckedContinuation<Void, Never>?
    /// Since when there has been no session; nil while there is one.
    private(set) var emptySince: Instant?

    init(on loop: EventLoop, log: Log) {
        self.loop = loop
        self.log = log
        emptySince = loop.now
    }

    var count: Int { sessions.count }
    var all: some Collection<Session> { sessions.values }

    // MARK: Sessions

    /// Serves a connection from now on, unless its socket can't be watched.
    func serve(_ descriptor: consuming FileDescriptor, of peer: Peer, _ dispatcher: Dispatcher) {
        counters.connectionsAccepted += 1
        lastNumber += 1
        let session = Session(number: lastNumber, peer: peer, descriptor: descriptor, self, dispatcher)
        guard session.begin() else { return }
        sessions[session.number] = session
        emptySince = nil
    }

    /// A session has ended.
    func remove(_ session: Session) {
        guard sessions.removeValue(forKey: session.number) != nil else { return }
        held[session.number] = nil
        if sessions.isEmpty {
            emptySince = loop.now
            resumeWhenEmpty()
        }
        ended()
    }

    /// Closes the session of a user that has been idle longest; false when none is idle.
    func closeLongestIdle(of userID: UInt32) -> Bool {
        let own = sessions.values.filter { $0.peer.userID == userID && $0.isIdle }
        let oldest = own.sorted { ($0.servedAt, $0.number) < ($1.servedAt, $1.number) }
        guard let session = oldest.first(where: \.isReplaceable) else { return false }
        counters.connectionsReplaced += 1
        log.debug("an idle connection of user \(userID) is closed to make room")
        session.close()
        return true
    }

    /// Returns when the last session has ended, or at the deadline.
    func waitUntilEmpty(until deadline: Instant) async {
        guard !sessions.isEmpty else { return }
        let timer = loop.schedule(at: deadline) { [self] in resumeWhenEmpty() }
        await withCheckedContinuation { continuation in
            // The last one may have ended on the way here.
            if sessions.isEmpty { continuation.resume() } else { whenEmpty = continuation }
        }
        loop.cancel(timer)
    }

    private func resumeWhenEmpty() {
        whenEmpty?.resume()
        whenEmpty = nil
    }

    // MARK: Usage

    /// Looks at a session again when others use less.
    func hold(_ session: Session) {
        held[session.number] = session
    }

    /// Counts what a session uses more, or less.
    func change(_ userID: UInt32, by difference: SessionUsage.Amounts) {
        usage.change(userID, by: difference)
        if !held.isEmpty, !isReleasing, difference.bytes < 0 || difference.requests < 0 {
            isReleasing = true
            loop.perform { [self] in settleHeld() }
        }
        giveBackMemory()
    }

    private func settleHeld() {
        isReleasing = false
        let sessions = held
        held = [:]
        for session in sessions.values { session.settle() }
    }

    private func giveBackMemory() {
        peakBytes = max(peakBytes, usage.total.bytes)
        guard peakBytes >= Self.peakBytesMin, usage.total.bytes <= peakBytes / 4 else { return }
        peakBytes = usage.total.bytes
        releaseFreeMemory()
    }

    // MARK: Figures

    /// The figures of the daemon, with those of the engine; on the loop.
    func figures(of server: ServerFacts, _ engine: EngineFigures) -> DaemonFigures {
        let clients = ClientActivity.all(of: all, at: loop.now)
        return DaemonFigures(
            version: server.version,
            uptime: server.startedAt.duration(to: loop.now),
            counters: counters,
            connections: .init(open: count, clients: clients.count, inFlight: usage.total.requests),
            clients: clients,
            engine: engine,
            memory: .init(resident: Self.residentBytes, held: usage.total.bytes, heldMax: usage.limits.bytes),
            loop: loop.figures
        )
    }

    /// The resident set of this process; 0 when /proc can't be read.
    private static var residentBytes: Int {
        guard let file = try? SmallFile.read("/proc/self/statm", bytesMax: 128) else { return 0 }
        let fields = String(decoding: file.bytes, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * Int(getpagesize())
    }
}

/// The buffer that every session is read into, in turn; it lives as long as the daemon.
@safe final class ReadBuffer {
    static let bytes = 64 << 10

    /// Freed in deinit; only sessions, on their loop, read or fill it.
    let memory: UnsafeMutableRawBufferPointer

    init() {
        unsafe memory = .allocate(byteCount: Self.bytes, alignment: 16)
    }

    deinit {
        unsafe memory.deallocate()
    }
}
