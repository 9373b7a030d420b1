import EventLoop
import RPC

/// What a session has read: lines to be served one after the other, as long as there is room for their answers.
///
/// A session is served for `servingMax` at a time; then it pauses until others have had their turn, or hold less
/// memory.
///
/// Confined to the loop.
final class SessionInput {
    /// How long one session may be served in one turn before the others have theirs.
    static let servingMax = Duration.milliseconds(1)

    enum Outcome {
        case nothing
        case served
        /// The client has closed its writing side; `finish` serves what is left.
        case ended
        case failed
    }

    private let shared: SessionResources
    private let dispatcher: Dispatcher
    private var framer = LineFramer()
    /// What the framer held when it was last through with its lines.
    private var framerBytes = 0
    private var hasEnded = false
    /// The batch whose messages begin one by one; no line is read meanwhile.
    private var batch: BatchLine?
    /// Serving stopped before all that was read has been served.
    private(set) var isPaused = false
    /// When the last line was served; until then, when the session came.
    private(set) var servedAt: Instant

    init(_ shared: SessionResources, _ dispatcher: Dispatcher) {
        self.shared = shared
        self.dispatcher = dispatcher
        servedAt = shared.loop.now
    }

    /// Whether nothing is to be served, but for an unfinished line.
    var isIdle: Bool { batch == nil && !isPaused }
    var isFinished: Bool { hasEnded && framer.isEmpty }
    var isAtRest: Bool { !hasEnded && !isPaused && framer.isEmpty }
    var wantsMore: Bool { !hasEnded && !isPaused }
    var bytesHeld: Int { framerBytes + (batch?.bytes ?? 0) }
    /// What has been read and not served.
    var pendingBytes: Int { framer.pendingBytes }

    /// Counts what is kept until the next turn.
    func count() {
        framerBytes = framer.bytesHeld
    }

    /// Reads once and serves what came; the poller reports when there is more.
    func read(from socket: Int32, for session: Session) -> Outcome {
        assert(shared.scratch.isEmpty, "what a session has written is flushed before another is served")
        guard let transfer = try? unsafe SystemCall.read(socket, into: shared.readBuffer.memory) else { return .failed }
        let receivedAt = shared.loop.now
        switch transfer {
        case .wouldBlock: return .nothing
        case .bytes(let count):
            shared.counters.bytesIn += count
            // The buffer is ours until the next read, which is not within this call.
            unsafe framer.consume(UnsafeRawBufferPointer(rebasing: shared.readBuffer.memory[..<count])) { line in
                unsafe serve(line, session, receivedAt)
            }
            return .served
        case .ended: return .ended
        }
    }

    /// Serves a last line without an end; nothing follows.
    func finish(for session: Session) {
        hasEnded = true
        let receivedAt = shared.loop.now
        unsafe framer.finish { line in unsafe serve(line, session, receivedAt) }
    }

    /// Goes on with the messages of a batch, and with lines that a pause left in the framer.
    func resume(for session: Session) {
        isPaused = false
        let receivedAt = shared.loop.now
        if let batch { serve(batch, session, receivedAt) }
        if session.isClosed { return }
        isPaused = batch != nil
        if !isPaused {
            unsafe framer.resume { line in unsafe serve(line, session, receivedAt) }
        }
    }

    private func serve(_ line: UnsafeRawBufferPointer?, _ session: Session, _ now: Instant) -> LineFramer.Demand {
        servedAt = now
        if let line = unsafe line, unsafe isAnsweredAtOnce(line, session, now) {
            return session.output.hasRoom ? .more : pause(session, now)
        }
        if let batch = unsafe dispatcher.serve(line, of: session, at: now) {
            self.batch = batch
            serve(batch, session, now)
        }
        return pause(session, now)
    }

    /// Pauses when it must.
    private func pause(_ session: Session, _ now: Instant) -> LineFramer.Demand {
        if session.isClosed { return .pause }
        isPaused = mustPause(session, servedSince: now) || batch != nil
        return isPaused || session.isClosed ? .pause : .more
    }

    /// The shortest way of an answer; false when none is ready.
    private func isAnsweredAtOnce(_ line: UnsafeRawBufferPointer, _ session: Session, _ now: Instant) -> Bool {
        guard session.requests.isEmpty, !session.output.hasWaiting, !shared.isDraining else { return false }
        let given = unsafe shared.readyAnswers.write(
            answerTo: line,
            of: session.peer.userID,
            on: session.number,
            at: now,
            to: &shared.scratch
        )
        guard let given else { return false }
        if let channel = given.channel { session.requests.answered(on: channel) }
        return true
    }

    /// Serves further messages of a batch, as many as there is room and time for.
    private func serve(_ batch: BatchLine, _ session: Session, _ now: Instant) {
        repeat {
            // The message is lent for the call.
            unsafe batch.takeNext { unsafe dispatcher.serve(messageOf: batch.answers, $0, of: session, at: now) }
        } while !batch.isDone && !mustPause(session, servedSince: now)
        if session.isClosed { return }
        // What is held of its answers makes room for the rest only when it is sent.
        guard batch.isDone else { return session.output.progressed(batch.answers, isShort: !mayServe(for: session)) }
        self.batch = nil
        batch.answers.seal()
        session.output.progressed(batch.answers)
    }

    /// Whether the next line or message may be served.
    ///
    /// What waits for the end of a batch doesn't count: it is sent when the rest of the batch has been served.
    func mayServe(for session: Session) -> Bool {
        session.output.hasRoom
            && session.holdings.output - session.output.behindBatchBytes < shared.memory.shareBytes
    }

    /// Whether there is no room for further answers, or the turn has been long enough.
    private func mustPause(_ session: Session, servedSince began: Instant) -> Bool {
        // There may be room at once: the socket has not been tried yet in this turn.
        if !mayServe(for: session) { session.flush() }
        return session.isClosed || !mayServe(for: session)
            || began.duration(to: shared.loop.now) >= Self.servingMax
    }
}
