import EventLoop
import Glibc
import RPC

/// What a session sends: lines, one after the other, as far as its reader takes them.
///
/// What a turn writes goes through the scratch buffer that all sessions share, and must be flushed within the turn. The
/// line of a batch may be written in parts; until its end other lines wait behind it.
///
/// Confined to the loop.
final class SessionOutput {
    private static let lineEnd = Outbox.Item.text(WireLine.end)

    private let socket: Int32
    private let shared: SessionResources
    private var outbox = Outbox()
    /// The batch whose line is being written; other lines wait for its end in `behindBatch`.
    private var openBatch: PendingBatch?
    private var behindBatch: [Outbox.Item] = []
    private(set) var behindBatchBytes = 0
    /// Of the answers to batches that are held until these are complete.
    private var batchBytes = 0
    /// Writers of notices.
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false

    init(to socket: Int32, _ shared: SessionResources) {
        self.socket = socket
        self.shared = shared
    }

    var isEmpty: Bool { outbox.isEmpty }
    /// Whether answers wait for room, behind which new ones queue.
    var hasWaiting: Bool { outbox.hasWaiting }
    var unsentBytes: Int { outbox.unsentBytes }
    var bytesHeld: Int { outbox.unsentBytes + outbox.waitingBytes + batchBytes + behindBatchBytes }
    /// Whether a further answer may be written, in the turn that serves the session.
    var hasRoom: Bool { outbox.unsentBytes + shared.scratch.count < shared.memory.outputLimit }
    var isBelowLimit: Bool { outbox.unsentBytes < shared.memory.outputLimit }
    /// Whether a line may be written between answers.
    var hasRoomForNotice: Bool { isBelowLimit && !outbox.hasWaiting && openBatch == nil }
    /// When the reader is dropped unless it takes something; nil while nothing is due to it.
    var stallDeadline: Instant? { outbox.unsentBytes > 0 ? outbox.stallDeadline : nil }

    func isStalledUnderPressure(at now: Instant) -> Bool { outbox.isStalledUnderPressure(at: now) }

    // MARK: Writing

    /// Writes an answer, now when there is room, else when there is.
    func answer(_ id: RequestID, _ reply: Reply) {
        guard openBatch == nil else { return append([.answer(id, reply), Self.lineEnd]) }
        put(.answer(id, reply), endsLine: true)
    }

    /// Adds the answer to one message of a batch.
    func answer(_ id: RequestID, _ reply: Reply, in batch: PendingBatch) {
        batchBytes -= batch.bytesHeld
        batch.add(id, reply)
        batchBytes += batch.bytesHeld
        progressed(batch)
    }

    /// Writes what there is of a batch, when that is all of it, or too much to hold, or the rest of what was begun.
    ///
    /// - Parameters:
    ///   - batch: The batch.
    ///   - isShort: Whether there is no room to hold more of it.
    func progressed(_ batch: PendingBatch, isShort: Bool = false) {
        guard batch.isComplete || batch.isOpen || isShort || batch.bytesHeld >= shared.memory.outputLimit else {
            return
        }
        if let openBatch, openBatch !== batch {
            // Another's line is being written: behind it whole ones only.
            guard batch.isComplete else { return }
            batchBytes -= batch.bytesHeld
            return append(batch.takeItems())
        }
        batchBytes -= batch.bytesHeld
        openBatch = batch
        for item in batch.takeItems() { put(item) }
        if !batch.isOpen { endOpenBatch() }
    }

    /// The line of a batch has ended, or there is none: what waited behind it follows.
    private func endOpenBatch() {
        openBatch = nil
        let items = behindBatch
        behindBatch = []
        behindBatchBytes = 0
        for item in items { put(item) }
    }

    /// Writes whole lines, in order; they wait for the end of a batch whose line has begun.
    func append(_ items: [Outbox.Item]) {
        for item in items {
            if openBatch == nil {
                put(item)
            } else {
                behindBatch.append(item)
                behindBatchBytes += item.bytesMax
            }
        }
    }

    /// Writes a line for which there is room.
    func write(_ line: [UInt8]) {
        shared.scratch.append(contentsOf: line)
    }

    private func put(_ item: Outbox.Item, endsLine: Bool = false) {
        guard !isClosed else { return }
        if !outbox.hasWaiting, hasRoom {
            item.write(to: &shared.scratch, now: shared.loop.now)
            if endsLine { shared.scratch.append(contentsOf: WireLine.end) }
        } else {
            outbox.wait(item)
            if endsLine { outbox.wait(Self.lineEnd) }
        }
    }

    // MARK: Waiting

    /// Suspends a writer of notices until there may be room, or the session has ended.
    func waitForRoom() async {
        await withCheckedContinuation { continuation in
            // Room may have been made on the way here, or the session closed.
            if isClosed || hasRoomForNotice { continuation.resume() } else { waiting.append(continuation) }
        }
    }

    /// Resumes the writers that wait, once half of the room is free.
    func resumeWaiting() {
        guard !waiting.isEmpty, openBatch == nil, outbox.unsentBytes < shared.memory.outputLimit / 2 else { return }
        resumeAll()
    }

    private func resumeAll() {
        let writers = waiting
        waiting = []
        for writer in writers { writer.resume() }
    }

    /// Drops what is not sent.
    func close() {
        isClosed = true
        outbox = Outbox()
        resumeAll()
    }

    // MARK: Sending

    /// Sends what this turn has written, and what waited before it, as far as the socket takes it; false when the
    /// connection has ended.
    func flush() -> Bool {
        guard !isClosed else {
            shared.scratch.removeAll(keepingCapacity: true)
            return true
        }
        if outbox.isEmpty { return sendScratch() }
        if !shared.scratch.isEmpty { keep(from: 0) }
        clearScratch()
        return sendOutbox()
    }

    /// The common case: nothing waits, and all of it goes out at once, without a copy into the outbox.
    private func sendScratch() -> Bool {
        guard !shared.scratch.isEmpty else { return true }
        defer { clearScratch() }
        // The bytes live through the call.
        let transfer = try? unsafe shared.scratch.withUnsafeBytes { try unsafe SystemCall.send(socket, $0) }
        switch transfer {
        case .bytes(let count):
            shared.counters.bytesOut += count
            if count < shared.scratch.count { keep(from: count) }
        case .wouldBlock: keep(from: 0)
        case .ended, nil: return false
        }
        return true
    }

    /// Keeps what the socket did not take.
    private func keep(from count: Int) {
        // The rest of the buffer is copied within the call.
        unsafe shared.scratch.withUnsafeBytes { bytes in
            unsafe outbox.append(UnsafeRawBufferPointer(rebasing: bytes[count...]), now: shared.loop.now)
        }
    }

    private func sendOutbox() -> Bool {
        while true {
            fill()
            guard outbox.unsentBytes > 0 else { return true }
            // The bytes live through the call.
            let transfer = try? unsafe outbox.withUnsent { bytes in try unsafe SystemCall.send(socket, bytes) }
            switch transfer {
            case .bytes(let count):
                shared.counters.bytesOut += count
                outbox.sent(count, now: shared.loop.now)
            case .wouldBlock: return true
            case .ended, nil: return false
            }
        }
    }

    /// Writes waiting items into the outbox while there is room.
    private func fill() {
        while let item = outbox.nextItem(limit: shared.memory.outputLimit) {
            var bytes: [UInt8] = []
            item.write(to: &bytes, now: shared.loop.now)
            unsafe bytes.withUnsafeBytes { unsafe outbox.append($0, now: shared.loop.now) }
        }
    }

    /// Frees a large scratch buffer once it is empty.
    private func clearScratch() {
        if shared.scratch.capacity > 2 * Outbox.bytesMax {
            shared.scratch = []
        } else {
            shared.scratch.removeAll(keepingCapacity: true)
        }
    }
}
