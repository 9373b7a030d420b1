import EventLoop

/// What a session sends, as far as its reader takes it.
///
/// What a step of the loop writes goes through the scratch buffer that all sessions share, and must be flushed within
/// the step.
///
/// Confined to the loop.
final class SessionOutput {
    private let socket: Int32
    private let shared: SessionResources
    private var outbox = Outbox()
    /// Writers of notices that wait for room.
    private var writers: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false

    init(to socket: Int32, _ shared: SessionResources) {
        self.socket = socket
        self.shared = shared
    }

    var isEmpty: Bool { outbox.isEmpty }
    var unsentBytes: Int { outbox.count }
    var deadline: Instant? { outbox.deadline }
    /// Whether work may start, and what has come be served.
    var hasRoom: Bool { outbox.count + shared.scratch.count < SessionLimits.unsentBytes }

    // MARK: Writing

    /// Writes whole lines, which a flush within the same step sends.
    func write(_ body: (inout [UInt8]) -> Void) {
        guard !isClosed else { return }
        body(&shared.scratch)
    }

    /// Suspends a writer of notices until there may be room, or the session has ended.
    func waitForRoom() async {
        await withCheckedContinuation { continuation in
            // Room may have been made on the way here, or the session closed.
            if isClosed || hasRoom { continuation.resume() } else { writers.append(continuation) }
        }
    }

    /// Resumes the writers that wait, once half of the room is free.
    func resumeWriters() {
        guard !writers.isEmpty, outbox.count < SessionLimits.unsentBytes / 2 || isClosed else { return }
        let waiting = writers
        writers = []
        for writer in waiting { writer.resume() }
    }

    /// Drops what is not sent.
    func close() {
        isClosed = true
        outbox = Outbox()
        resumeWriters()
    }

    // MARK: Sending

    /// Sends what has been written, as far as the socket takes it; false when the connection has ended.
    func flush() -> Bool {
        defer { clearScratch() }
        guard !isClosed else { return true }
        // Mostly nothing waits, and all goes out at once, without a copy into the outbox.
        if outbox.isEmpty { return sendScratch() }
        if !shared.scratch.isEmpty { keepScratch(from: 0) }
        while !outbox.isEmpty {
            // The bytes live through the call.
            switch try? unsafe outbox.withUnsent({ bytes in try unsafe SystemCall.send(socket, bytes) }) {
            case .bytes(let count):
                shared.counters.bytesOut += count
                outbox.sent(count, now: shared.loop.now)
            case .wouldBlock: return true
            case .ended, nil: return false
            }
        }
        return true
    }

    private func sendScratch() -> Bool {
        guard !shared.scratch.isEmpty else { return true }
        // The bytes live through the call.
        switch try? unsafe shared.scratch.withUnsafeBytes({ try unsafe SystemCall.send(socket, $0) }) {
        case .bytes(let count):
            shared.counters.bytesOut += count
            if count < shared.scratch.count { keepScratch(from: count) }
        case .wouldBlock: keepScratch(from: 0)
        case .ended, nil: return false
        }
        return true
    }

    /// Keeps what the socket did not take.
    private func keepScratch(from count: Int) {
        // The rest of the buffer is copied within the call.
        unsafe shared.scratch.withUnsafeBytes { bytes in
            unsafe outbox.append(UnsafeRawBufferPointer(rebasing: bytes[count...]), now: shared.loop.now)
        }
    }

    /// Frees a large scratch buffer once it is empty.
    private func clearScratch() {
        if shared.scratch.capacity > 4 * SessionLimits.unsentBytes {
            shared.scratch = []
        } else {
            shared.scratch.removeAll(keepingCapacity: true)
        }
    }
}
