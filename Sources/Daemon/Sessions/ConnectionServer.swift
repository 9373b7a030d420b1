import Engine
import EventLoop
import Glibc
import SearchModel

/// Serves all connections; used only on the loop, so `@unchecked` is safe.
final class ConnectionServer: @unchecked Sendable {
    private static let peakBytesMin = 4 << 20

    let loop: EventLoop
    let log: Log
    let counters = Counters()
    let readBuffer = ReadBuffer()
    /// The session that is writing borrows this buffer.
    var spareBuffer: [UInt8] = []
    var usage = SessionUsage()
    var releaseFreeMemory: @Sendable () -> Void = {}
    /// If true, requests are refused, and sessions end when their requests are answered.
    private(set) var isDraining = false
    private(set) var emptySince: Instant?
    private let dispatcher: Dispatcher
    private lazy var acceptor = Acceptor(self)
    private var sessions: [UInt64: Session] = [:]
    private var lastNumber: UInt64 = 0
    /// Sessions whose input waits, because too many bytes are buffered or too many requests are in flight.
    private var held: [UInt64: Session] = [:]
    private var isReleasing = false
    private var peakBytes = 0
    private var release: Timer?
    private var whenEmpty: CheckedContinuation<Void, Never>?

    init(on loop: EventLoop, _ permissions: Permissions, log: Log) {
        self.loop = loop
        self.log = log
        emptySince = loop.now
        dispatcher = Dispatcher(permissions)
    }

    /// Must be set before the first connection.
    var methods: MethodTable {
        get { dispatcher.methods }
        set {
            dispatcher.methods = newValue
            counters.uncounted = newValue.personal
        }
    }

    var all: some Collection<Session> { sessions.values }

    func changeAdminGroup(_ groupID: UInt32?) {
        dispatcher.permissions.adminGroupID = groupID
    }

    func listen(on descriptor: consuming FileDescriptor, isShared: Bool = false) throws(SystemError) {
        try acceptor.listen(on: descriptor, isShared: isShared)
    }

    func serve(_ descriptor: consuming FileDescriptor, of peer: Peer) {
        lastNumber += 1
        let session = Session(number: lastNumber, peer: peer, descriptor: descriptor, self, dispatcher)
        guard session.begin() else { return }
        sessions[session.number] = session
        emptySince = nil
    }

    func remove(_ session: Session) {
        guard sessions.removeValue(forKey: session.number) != nil else { return }
        held[session.number] = nil
        guard sessions.isEmpty else { return }
        emptySince = loop.now
        resumeWhenEmpty()
    }

    func closeLongestIdle(of userID: UInt32) -> Bool {
        let own = sessions.values.filter { $0.peer.userID == userID && $0.isIdle }
        let oldest = own.sorted { ($0.servedAt, $0.number) < ($1.servedAt, $1.number) }
        guard let session = oldest.first(where: \.isReplaceable) else { return false }
        log.debug("an idle connection of user \(userID) is closed to make room")
        session.close()
        return true
    }

    func drain(until deadline: Instant) async {
        acceptor.stop()
        isDraining = true
        for session in all { session.readLast() }
        await waitUntilEmpty(until: deadline)
        for session in all { session.end(with: SessionErrors.shuttingDown) }
    }

    private func waitUntilEmpty(until deadline: Instant) async {
        guard !sessions.isEmpty else { return }
        let timer = loop.schedule(at: deadline) { [self] in resumeWhenEmpty() }
        await withCheckedContinuation { continuation in
            // The last session may have ended before the continuation was created.
            if sessions.isEmpty { continuation.resume() } else { whenEmpty = continuation }
        }
        loop.cancel(timer)
    }

    private func resumeWhenEmpty() {
        whenEmpty.take()?.resume()
    }

    func hold(_ session: Session) {
        held[session.number] = session
    }

    func change(_ userID: UInt32, by difference: SessionUsage.Amounts) {
        usage.change(userID, by: difference)
        if !held.isEmpty, !isReleasing, difference.bytes < 0 || difference.requests < 0 {
            isReleasing = true
            loop.perform { [self] in
                isReleasing = false
                let sessions = held
                held = [:]
                for session in sessions.values { session.settle() }
            }
        }
        peakBytes = max(peakBytes, usage.total.bytes)
        if peakBytes >= Self.peakBytesMin, usage.total.bytes <= peakBytes / 4 { releaseLater() }
    }

    /// Releases free memory after one second, because steady traffic would soon need the memory again.
    private func releaseLater() {
        guard release == nil else { return }
        release = loop.schedule(at: loop.now.advanced(by: .seconds(1))) { [weak self] in
            guard let self else { return }
            (release, peakBytes) = (nil, usage.total.bytes)
            releaseFreeMemory()
        }
    }
}

@safe final class ReadBuffer {
    static let bytes = 64 << 10

    /// Freed in deinit.
    ///
    /// Only sessions use the memory, and only on the loop.
    let memory: UnsafeMutableRawBufferPointer

    init() {
        unsafe memory = .allocate(byteCount: Self.bytes, alignment: 16)
    }

    deinit {
        unsafe memory.deallocate()
    }
}
