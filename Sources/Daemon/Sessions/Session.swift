import Engine
import EventLoop
import Glibc
import RPC
import SearchModel
import Upstream

/// Serves one client's connection; used only on the loop, so `@unchecked` is safe.
final class Session: @unchecked Sendable {
    private static let servingMax = Duration.microseconds(500)
    private static let farewellMax = Duration.milliseconds(500)
    /// Even a full receive buffer of the kernel is empty after this many reads.
    private static let readsMax = 16

    let number: UInt64
    let peer: Peer
    let server: ConnectionServer
    let output: SessionOutput
    private(set) lazy var requests = SessionRequests(of: self, server)
    private(set) lazy var subscriptions = SessionSubscriptions(of: self)
    private let dispatcher: Dispatcher
    /// `close` closes the socket, even if a task still has a reference to the session.
    private var descriptor: FileDescriptor?
    private let socket: Int32
    private var watch: Watch?
    private var interest: Interest = []
    private var framer = LineFramer()
    private var inputBytes = 0
    /// Until all messages of this batch have begun, no other line is served.
    private var batch: PendingBatch?
    private var batches: [PendingBatch] = []
    private var hasEnded = false
    /// Whether received lines remain to be served.
    private var isPaused = false
    private var isResuming = false
    private var isLeaving = false
    /// When the incomplete line began; nil if all lines are complete.
    private var lineBeganAt: Instant?
    private var timer: Timer?
    private(set) var servedAt: Instant
    private var counted = SessionUsage.Amounts()
    private(set) var isClosed = false
    private(set) var clientName: String?
    private(set) var client: ClientIdentity

    init(
        number: UInt64,
        peer: Peer,
        descriptor: consuming FileDescriptor,
        _ server: ConnectionServer,
        _ dispatcher: Dispatcher
    ) {
        self.number = number
        self.peer = peer
        self.server = server
        self.dispatcher = dispatcher
        socket = descriptor.raw
        self.descriptor = consume descriptor
        output = SessionOutput(to: socket, server)
        client = ClientIdentity(userID: peer.userID, program: "pid \(peer.processID)")
        servedAt = server.loop.now
    }

    func name(client name: String) {
        clientName = name
        client = ClientIdentity(userID: peer.userID, program: name)
    }

    var peerGroups: [UInt32] { Peer.groups(of: socket) }

    var isIdle: Bool { requests.isEmpty && output.isEmpty && batch == nil && !isPaused }

    var isReplaceable: Bool { isIdle && subscriptions.isEmpty && SystemCall.unreadBytes(socket) == 0 }

    func begin() -> Bool {
        do throws(SystemError) {
            watch = try server.loop.watch(socket, .readable) { [self] in ready($0) }
            interest = .readable
            account()
            return true
        } catch {
            server.log.warning("a connection can't be watched: \(error)")
            return false
        }
    }

    private func ready(_ readiness: Readiness) {
        server.loop.checkIsolated()
        if readiness.contains(.failure) { return close() }
        if isLeaving { return discardInput() }
        if readiness.contains(.writable) { flushAndSettle() }
        if isClosed { return }
        if readiness.contains(.readable), interest.contains(.readable) {
            read(peerHasGone: readiness.contains(.hangup))
        } else if readiness.contains(.hangup) {
            close()
        }
    }

    /// Reads once; if more has arrived, the loop calls `ready` again.
    private func read(peerHasGone: Bool) {
        guard let transfer = try? unsafe SystemCall.read(socket, into: server.readBuffer.memory) else { return close() }
        let now = server.loop.now
        switch transfer {
        case .wouldBlock: return
        case .bytes(let count):
            // No other session reads into the buffer during this call.
            unsafe framer.consume(UnsafeRawBufferPointer(rebasing: server.readBuffer.memory[..<count])) { line in
                unsafe serve(line, since: now)
            }
        case .ended:
            if peerHasGone { return close() }
            hasEnded = true
            unsafe framer.finish { line in unsafe serve(line, since: now) }
        }
        flush()
        if !isAtRest { settle() }
    }

    private func resume() {
        isResuming = false
        guard !isClosed else { return }
        let now = server.loop.now
        if batch != nil { beginMessages(since: now) }
        isPaused = batch != nil
        if !isPaused, !isClosed { unsafe framer.resume { line in unsafe serve(line, since: now) } }
        flushAndSettle()
    }

    private func serve(_ line: UnsafeRawBufferPointer?, since began: Instant) -> LineFramer.VisitResult {
        servedAt = began
        lineBeganAt = nil
        if let batch = unsafe dispatcher.serve(line, of: self, at: began) {
            self.batch = batch
            batches.append(batch)
            beginMessages(since: began)
        }
        isPaused = batch != nil || mustPause(since: began) || !server.usage.admits(of: peer.userID)
        return isPaused ? .pause : .more
    }

    private func beginMessages(since began: Instant) {
        guard let batch else { return }
        repeat {
            unsafe batch.beginNext { unsafe dispatcher.serve(messageOf: batch, $0, of: self, at: began) }
        } while !batch.hasBegun && !mustPause(since: began)
        guard batch.hasBegun, !isClosed else { return }
        self.batch = nil
        finish(batch)
    }

    private func mustPause(since began: Instant) -> Bool {
        if !output.hasRoom { flush() }
        return isClosed || !hasRoom || began.duration(to: server.loop.now) >= Self.servingMax
    }

    /// Whether another message may begin; the limit on the user's buffered bytes is not checked here.
    private var hasRoom: Bool {
        output.hasRoom && requests.count < server.usage.limits.requests && server.usage.admitsRequest(of: peer.userID)
    }

    func answer(_ id: RequestID, _ reply: Reply, to method: String, in batch: PendingBatch? = nil) {
        let reply = admitted(reply, in: batch)
        server.counters.answered(method, reply)
        let now = server.loop.now
        guard let batch else {
            return output.write { bytes in
                WireLine.write(reply, to: id, into: &bytes, at: now)
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        batch.add(reply, to: id, now: now)
        finish(batch)
    }

    private func finish(_ batch: PendingBatch) {
        guard batch.isComplete else { return }
        batches.removeAll { $0 === batch }
        if let line = batch.takeLine() { output.write { $0 += line } }
    }

    private func admitted(_ reply: Reply, in batch: PendingBatch?) -> Reply {
        let bytes = reply.bytesMax
        if reply.errorKind != nil || output.isEmpty && batch == nil && bytes <= SessionLimits.answerBytes {
            return reply
        }
        if bytes > batch?.room ?? SessionLimits.answerBytes { return SessionErrors.answerTooLarge }
        return server.usage.admits(bytes: bytes, of: peer.userID) ? reply : SessionErrors.answersUnread
    }

    /// Waits for room in the output, then writes the result of `line`.
    ///
    /// Returns false if the session ends or `line` returns nil.
    @discardableResult
    func write(_ line: () -> [UInt8]?) async -> Bool {
        while !isClosed {
            server.loop.checkIsolated()
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

    private func flush() {
        if !output.flush() { close() }
    }

    func flushAndSettle() {
        flush()
        settle()
    }

    private var isAtRest: Bool {
        !hasEnded && !isPaused && !framer.isInLine && output.isEmpty && requests.isEmpty && timer == nil
            && interest == .readable && counted.bytes == 0 && !server.isDraining
    }

    /// Updates the counters, the timer and the watched events.
    ///
    /// Must be called after each change of the session.
    func settle() {
        guard !isClosed, !isLeaving else { return }
        inputBytes = framer.bytesHeld
        if hasEnded, framer.isEmpty, isIdle { return close() }
        account()
        if server.isDraining, isIdle { return leave() }
        requests.startDue()
        output.resumeWriters()
        // The memory of a batch is freed only when the batch ends, so a batch always continues.
        let isAdmitted = batch != nil || server.usage.admits(of: peer.userID)
        // An incomplete line is timed even if the user's buffers are full, because the line may fill them.
        if hasEnded || isPaused || !framer.isInLine || !hasRoom {
            lineBeganAt = nil
        } else if lineBeganAt == nil {
            lineBeganAt = server.loop.now
        }
        if !isAdmitted || !server.usage.admitsRequest(of: peer.userID) { server.hold(self) }
        let mayServe = isAdmitted && hasRoom
        if isPaused, !isResuming, mayServe {
            isResuming = true
            server.loop.perform { [self] in resume() }
        }
        watch(isReading: !hasEnded && !isPaused && mayServe)
        updateTimer()
    }

    func account() {
        let bytes = inputBytes + batches.reduce(0) { $0 + $1.bytes } + output.unsentBytes + requests.bytes
        var amounts = SessionUsage.Amounts()
        if !isClosed {
            amounts = .init(connections: 1, requests: requests.count, subscriptions: subscriptions.count, bytes: bytes)
        }
        guard amounts != counted else { return }
        server.change(peer.userID, by: amounts - counted)
        counted = amounts
    }

    private func watch(isReading: Bool) {
        var wanted: Interest = isReading ? .readable : []
        if !output.isEmpty { wanted.insert(.writable) }
        guard wanted != interest, let watch else { return }
        do throws(SystemError) {
            try server.loop.change(watch, to: wanted)
            interest = wanted
        } catch {
            server.log.warning("a connection can't be watched: \(error)")
            close()
        }
    }

    /// The session is dropped at this time, unless the client reads its answers and finishes its line.
    private var deadline: Instant? {
        let lineEnd = lineBeganAt?.advanced(by: SessionLimits.progress)
        return [output.deadline, lineEnd].compactMap(\.self).min()
    }

    private func updateTimer() {
        guard let deadline else { return cancelTimer() }
        guard timer == nil, !isClosed else { return }
        timer = server.loop.schedule(at: deadline) { [self] in
            timer = nil
            guard let deadline = self.deadline, server.loop.now >= deadline else { return updateTimer() }
            server.counters.connectionsStalled += 1
            let why = output.isEmpty ? "a line was incomplete" : "its client read nothing"
            server.log.info("a connection of user \(peer.userID) is dropped: \(why) for 30 s")
            close()
        }
    }

    private func cancelTimer() {
        if let timer = timer.take() { server.loop.cancel(timer) }
    }

    func readLast() {
        for _ in 0..<Self.readsMax {
            guard !isClosed, interest.contains(.readable) else { break }
            read(peerHasGone: false)
            guard !isClosed, SystemCall.unreadBytes(socket) > 0 else { break }
        }
        settle()
    }

    /// Ignores input until the client closes.
    ///
    /// If the daemon closed first, the last answers could be lost.
    private func leave() {
        isLeaving = true
        subscriptions.endAll()
        _ = shutdown(socket, Int32(SHUT_WR))
        cancelTimer()
        timer = server.loop.schedule(at: server.loop.now.advanced(by: Self.farewellMax)) { [self] in
            timer = nil
            discardInput()
            close()
        }
        watch(isReading: true)
    }

    private func discardInput() {
        for _ in 0..<Self.readsMax where !isClosed {
            switch try? unsafe SystemCall.read(socket, into: server.readBuffer.memory) {
            case .bytes: continue
            case .wouldBlock: return
            case .ended, nil: close()
            }
        }
    }

    func end(with error: SearchError) {
        requests.endAll(with: .failure(error))
        flush()
        discardInput()
        close()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        cancelTimer()
        requests.cancelAll()
        subscriptions.endAll()
        output.close()
        if let watch = watch.take() { server.loop.unwatch(watch) }
        descriptor = nil
        account()
        server.remove(self)
    }
}
