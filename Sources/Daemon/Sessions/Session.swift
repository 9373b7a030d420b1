import Engine
import EventLoop
import Glibc
import RPC
import SearchModel
import Upstream

/// One client's connection: reads lines, has each served, and sends what is answered, until one of both ends it.
///
/// After every step `settle` brings counters, timers and what the socket is watched for in line with what is buffered.
///
/// `@unchecked Sendable` so that handlers and tasks may hold it: confined to the loop, which its entries from there
/// assert.
final class Session: @unchecked Sendable {
    /// How long one session is served in one turn before the others have theirs.
    private static let servingMax = Duration.microseconds(500)
    /// How long a client may take to notice the end of its connection before that is closed.
    private static let farewellMax = Duration.milliseconds(500)
    /// More than the kernel keeps for a connection, with a buffer of `ReadBuffer.bytes` each.
    private static let readsMax = 16

    let number: UInt64
    let peer: Peer
    let shared: SessionResources
    let output: SessionOutput
    private(set) lazy var requests = SessionRequests(of: self, shared)
    private(set) lazy var subscriptions = SessionSubscriptions(of: self)
    private let dispatcher: Dispatcher
    /// Closed with `close`, however long something holds on to the session.
    private var descriptor: FileDescriptor?
    private let socket: Int32
    private var watch: Watch?
    private var interest: Interest = []
    private var framer = LineFramer()
    /// What lines that are not served yet take, as of the last `settle`.
    private var inputBytes = 0
    /// The batch whose messages are beginning; no line is served meanwhile.
    private var batch: PendingBatch?
    /// Batches whose answers are not all there.
    private var batches: [PendingBatch] = []
    /// The client has closed its writing side.
    private var hasEnded = false
    /// Serving stopped before all that was read has been served; it goes on in a later turn.
    private var isPaused = false
    private var isResuming = false
    /// Nothing more is sent; what still comes is dropped.
    private var isLeaving = false
    /// Since when an unfinished line has been read.
    private var lineBeganAt: Instant?
    private var timer: Timer?
    /// When the last line was served; until then, when the session began.
    private(set) var servedAt: Instant
    /// What the usage counts for this session.
    private var counted = SessionUsage.Amounts()
    private(set) var isClosed = false
    private(set) var clientName: String?
    /// The client that its calls to sources are charged to.
    private(set) var client: ClientIdentity

    init(
        number: UInt64,
        peer: Peer,
        descriptor: consuming FileDescriptor,
        _ shared: SessionResources,
        _ dispatcher: Dispatcher
    ) {
        self.number = number
        self.peer = peer
        self.shared = shared
        self.dispatcher = dispatcher
        socket = descriptor.raw
        self.descriptor = consume descriptor
        output = SessionOutput(to: socket, shared)
        client = ClientIdentity(userID: peer.userID, program: "pid \(peer.processID)")
        servedAt = shared.loop.now
    }

    /// The client announces what it is called.
    func name(client name: String) {
        clientName = name
        client = ClientIdentity(userID: peer.userID, program: name)
    }

    /// The groups that the kernel says the peer is in, beside its first.
    var peerGroups: [UInt32] { Peer.groups(of: socket) }

    /// Whether everything asked so far has been answered and sent; an unfinished line may be there.
    var isIdle: Bool { requests.isEmpty && output.isEmpty && batch == nil && !isPaused }

    /// Whether it may be closed for another connection.
    var isReplaceable: Bool { isIdle && subscriptions.isEmpty && SystemCall.unreadBytes(socket) == 0 }

    // MARK: Reading

    /// Begins to read; false when the socket can't be watched.
    func begin() -> Bool {
        do throws(SystemError) {
            watch = try shared.loop.watch(socket, .readable) { [self] in ready($0) }
            interest = .readable
            account()
            return true
        } catch {
            shared.log.warning("a connection can't be watched: \(error)")
            return false
        }
    }

    /// The socket has something to read, or room to write, or an end.
    private func ready(_ readiness: Readiness) {
        shared.loop.checkIsolated()
        if readiness.contains(.failure) { return close() }
        if isLeaving { return discardInput() }
        // There is room now: what waited for it goes on.
        if readiness.contains(.writable) { flushAndSettle() }
        if isClosed { return }
        if readiness.contains(.readable), interest.contains(.readable) {
            read(peerHasGone: readiness.contains(.hangup))
        } else if readiness.contains(.hangup) {
            close()
        }
    }

    /// Reads once and serves what came; the poller reports when there is more.
    private func read(peerHasGone: Bool) {
        assert(shared.scratch.isEmpty, "what a session has written is flushed before another is served")
        guard let transfer = try? unsafe SystemCall.read(socket, into: shared.readBuffer.memory) else { return close() }
        let now = shared.loop.now
        switch transfer {
        case .wouldBlock: return
        case .bytes(let count):
            shared.counters.bytesIn += count
            // The buffer is ours until the next read, which is not within this call.
            unsafe framer.consume(UnsafeRawBufferPointer(rebasing: shared.readBuffer.memory[..<count])) { line in
                unsafe serve(line, since: now)
            }
        case .ended:
            // No one would read the answer.
            if peerHasGone { return close() }
            hasEnded = true
            // A last line may lack its end.
            unsafe framer.finish { line in unsafe serve(line, since: now) }
        }
        flush()
        if !isAtRest { settle() }
    }

    /// Goes on with what a pause left unserved.
    private func resume() {
        isResuming = false
        guard !isClosed else { return }
        let now = shared.loop.now
        if batch != nil { beginMessages(since: now) }
        isPaused = batch != nil
        if !isPaused, !isClosed { unsafe framer.resume { line in unsafe serve(line, since: now) } }
        flushAndSettle()
    }

    /// Serves a line; nil stands for one that was too long to be kept.
    private func serve(_ line: UnsafeRawBufferPointer?, since began: Instant) -> LineFramer.Demand {
        servedAt = began
        lineBeganAt = nil
        if let batch = unsafe dispatcher.serve(line, of: self, at: began) {
            self.batch = batch
            batches.append(batch)
            beginMessages(since: began)
        }
        isPaused = batch != nil || mustPause(since: began) || !shared.usage.admits(of: peer.userID)
        return isPaused ? .pause : .more
    }

    /// Begins messages of the batch, as many as there is room and time for.
    private func beginMessages(since began: Instant) {
        guard let batch else { return }
        repeat {
            unsafe batch.beginNext { message in unsafe dispatcher.serve(messageOf: batch, message, of: self, at: began)
            }
        } while !batch.hasBegun && !mustPause(since: began)
        guard batch.hasBegun, !isClosed else { return }
        self.batch = nil
        finish(batch)
    }

    /// Whether there is no room for further answers or requests, or the turn has been long enough.
    private func mustPause(since began: Instant) -> Bool {
        // There may be room at once: the socket has not been tried yet in this turn.
        if !output.hasRoom { flush() }
        return isClosed || !hasRoom || began.duration(to: shared.loop.now) >= Self.servingMax
    }

    /// Whether further requests may begin, but for what the user's connections have buffered.
    private var hasRoom: Bool {
        output.hasRoom && requests.count < shared.usage.limits.requests && shared.usage.admitsRequest(of: peer.userID)
    }

    // MARK: Answering

    /// Answers a request, alone or in its batch.
    func answer(_ id: RequestID, _ reply: Reply, to method: String, in batch: PendingBatch? = nil) {
        let reply = admitted(reply, in: batch)
        shared.counters.answered(method, reply)
        let now = shared.loop.now
        guard let batch else {
            return output.write { bytes in
                WireLine.write(reply, to: id, into: &bytes, at: now)
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        batch.add(reply, to: id, now: now)
        finish(batch)
    }

    /// Sends a batch's answers once all of them are there.
    private func finish(_ batch: PendingBatch) {
        guard batch.isComplete else { return }
        batches.removeAll { $0 === batch }
        if let line = batch.takeLine() { output.write { $0 += line } }
    }

    /// The reply, or an error when it is too large or too much is unread.
    private func admitted(_ reply: Reply, in batch: PendingBatch?) -> Reply {
        let bytes = reply.bytesMax
        if reply.errorKind != nil || output.isEmpty && batch == nil && bytes <= SessionLimits.answerBytes {
            return reply
        }
        if bytes > batch?.room ?? SessionLimits.answerBytes { return SessionErrors.answerTooLarge }
        return shared.usage.admits(bytes: bytes, of: peer.userID) ? reply : SessionErrors.answersUnread
    }

    /// Writes a line that answers no request, as soon as its reader is no longer behind.
    ///
    /// - Parameter line: Is called when there is room; nil when the line is no longer wanted.
    /// - Returns: False when it was not written, since it is no longer wanted or the session has ended.
    @discardableResult
    func write(_ line: () -> [UInt8]?) async -> Bool {
        // After each wait all is asked anew: the session may have ended, and the line may be wanted no longer.
        while !isClosed {
            shared.loop.checkIsolated()
            if output.hasRoom {
                guard let bytes = line() else { return false }
                output.write { $0 += bytes }
                flushAndSettle()
                return true
            }
            await output.waitForRoom()
        }
        return false
    }

    /// Sends what has been written, as far as the socket takes it.
    private func flush() {
        if !output.flush() { close() }
    }

    func flushAndSettle() {
        flush()
        settle()
    }

    // MARK: Settling

    /// Whether nothing is buffered and the session just waits for the next line: the common case after an answer.
    private var isAtRest: Bool {
        !hasEnded && !isPaused && !framer.isInLine && output.isEmpty && requests.isEmpty && timer == nil
            && interest == .readable && counted.bytes == 0 && !shared.isDraining
    }

    func settle() {
        guard !isClosed, !isLeaving else { return }
        inputBytes = framer.bytesHeld
        if hasEnded, framer.isEmpty, isIdle { return close() }
        account()
        if shared.isDraining, isIdle { return leave() }
        requests.startDue()
        output.resumeWriters()
        // A batch goes on in any case: nothing but its end makes room.
        let isAdmitted = batch != nil || shared.usage.admits(of: peer.userID)
        // A line that does not end while too much is buffered is what keeps too much buffered.
        if hasEnded || isPaused || !framer.isInLine || !hasRoom {
            lineBeganAt = nil
        } else if lineBeganAt == nil {
            lineBeganAt = shared.loop.now
        }
        if !isAdmitted || !shared.usage.admitsRequest(of: peer.userID) { shared.hold(self) }
        let mayServe = isAdmitted && hasRoom
        if isPaused, !isResuming, mayServe {
            isResuming = true
            shared.loop.perform { [self] in resume() }
        }
        watch(isReading: !hasEnded && !isPaused && mayServe)
        updateTimer()
    }

    /// Counts what it uses.
    func account() {
        let bytes = inputBytes + batches.reduce(0) { $0 + $1.bytes } + output.unsentBytes + requests.bytes
        let amounts = SessionUsage.Amounts(
            connections: 1,
            requests: requests.count,
            subscriptions: subscriptions.count,
            bytes: bytes
        )
        count(isClosed ? SessionUsage.Amounts() : amounts)
    }

    private func count(_ amounts: SessionUsage.Amounts) {
        guard amounts != counted else { return }
        shared.change(peer.userID, by: amounts - counted)
        counted = amounts
    }

    private func watch(isReading: Bool) {
        var wanted: Interest = isReading ? .readable : []
        if !output.isEmpty { wanted.insert(.writable) }
        guard wanted != interest, let watch else { return }
        do throws(SystemError) {
            try shared.loop.change(watch, to: wanted)
            interest = wanted
        } catch {
            shared.log.warning("a connection can't be watched: \(error)")
            close()
        }
    }

    // MARK: Time

    /// When it is dropped, unless its reader takes something or its line ends.
    private var deadline: Instant? {
        let lineEnd = lineBeganAt?.advanced(by: SessionLimits.progress)
        return [output.deadline, lineEnd].compactMap(\.self).min()
    }

    /// Sets the timer; a later deadline is found when it fires.
    private func updateTimer() {
        guard let deadline else { return cancelTimer() }
        guard timer == nil, !isClosed else { return }
        timer = shared.loop.schedule(at: deadline) { [self] in
            timer = nil
            guard let deadline = self.deadline, shared.loop.now >= deadline else { return updateTimer() }
            shared.counters.connectionsStalled += 1
            let why = output.isEmpty ? "a line has not ended" : "it has not read"
            shared.log.info("a connection of user \(peer.userID) is dropped: \(why) for 30 s")
            close()
        }
    }

    private func cancelTimer() {
        if let timer { shared.loop.cancel(timer) }
        timer = nil
    }

    // MARK: Ending

    /// Reads what came before the daemon began to end; requests in it are refused.
    func readLast() {
        for _ in 0..<Self.readsMax {
            guard !isClosed, interest.contains(.readable) else { break }
            read(peerHasGone: false)
            guard !isClosed, SystemCall.unreadBytes(socket) > 0 else { break }
        }
        settle()
    }

    /// Ends it in good order: the client sees that nothing more will come, and what it still sends is read and dropped
    /// until it closes.
    ///
    /// Closing at once would reset the connection when the client is just sending something: it would not see the end
    /// before the error.
    private func leave() {
        isLeaving = true
        subscriptions.endAll()
        _ = shutdown(socket, Int32(SHUT_WR))
        cancelTimer()
        timer = shared.loop.schedule(at: shared.loop.now.advanced(by: Self.farewellMax)) { [self] in
            timer = nil
            discardInput()
            close()
        }
        watch(isReading: true)
    }

    /// Reads what has come and drops it; closes the session when the client has closed.
    private func discardInput() {
        for _ in 0..<Self.readsMax where !isClosed {
            switch try? unsafe SystemCall.read(socket, into: shared.readBuffer.memory) {
            case .bytes: continue
            case .wouldBlock: return
            case .ended, nil: close()
            }
        }
    }

    /// Answers what is in flight with an error, as far as the socket takes it, and closes.
    func end(with error: SearchError) {
        requests.endAll(with: .failure(error))
        flush()
        discardInput()
        close()
    }

    /// Ends it at once: its requests are cancelled, what it was to be sent is dropped.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        cancelTimer()
        requests.cancelAll()
        subscriptions.endAll()
        output.close()
        if let watch { shared.loop.unwatch(watch) }
        watch = nil
        descriptor = nil
        count(SessionUsage.Amounts())
        shared.remove(self)
    }
}
