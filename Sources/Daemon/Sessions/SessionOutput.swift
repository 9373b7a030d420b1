import EventLoop

/// The output of a session, sent as its reader accepts it.
///
/// Confined to the loop.
final class SessionOutput {
    /// A larger buffer is freed, not kept for the next session.
    private static let spareBytesMax = 4 * SessionLimits.unsentBytes
    /// How much larger than the unsent bytes a buffer may be.
    private static let slackBytes = 64 << 10

    private let socket: Int32
    private let server: ConnectionServer
    /// Written bytes, sent up to `start`; an empty output borrows the spare buffer of the server.
    private var bytes: [UInt8] = []
    private var start = 0
    /// When the reader last accepted data, or when the socket first refused a byte; nil if no byte is refused.
    private var progressAt: Instant?
    /// Writers of notices that wait for room.
    private var writers: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false

    init(to socket: Int32, _ server: ConnectionServer) {
        self.socket = socket
        self.server = server
    }

    var isEmpty: Bool { bytes.isEmpty }
    var unsentBytes: Int { bytes.count - start }
    /// When the reader is dropped unless it accepts data; nil if no data is pending.
    var deadline: Instant? { progressAt?.advanced(by: SessionLimits.progress) }
    /// Whether work may start, and received lines be served.
    var hasRoom: Bool { unsentBytes < SessionLimits.unsentBytes }

    /// Writes whole lines, to be flushed within the same step.
    func write(_ body: (inout [UInt8]) -> Void) {
        guard !isClosed else { return }
        if bytes.isEmpty { swap(&bytes, &server.spareBuffer) }
        body(&bytes)
    }

    /// Sends as much as the socket accepts; false if the connection has ended.
    func flush() -> Bool {
        while start < bytes.count {
            // The bytes live through the call.
            let transfer = try? unsafe bytes.withUnsafeBytes { buffer in
                try unsafe SystemCall.send(socket, UnsafeRawBufferPointer(rebasing: buffer[start...]))
            }
            switch transfer {
            case .bytes(let count):
                start += count
                progressAt = nil
            case .wouldBlock:
                progressAt = progressAt ?? server.loop.now
                keepRest()
                return true
            case .ended, nil: return false
            }
        }
        releaseBuffer()
        return true
    }

    /// Moves the unsent bytes to a buffer of their size, so that a slow reader uses little more memory than they need.
    private func keepRest() {
        guard bytes.capacity > 2 * unsentBytes + Self.slackBytes else { return }
        let rest = Array(bytes[start...])
        releaseBuffer()
        bytes = rest
    }

    private func releaseBuffer() {
        start = 0
        if bytes.capacity > Self.spareBytesMax {
            bytes = []
        } else {
            bytes.removeAll(keepingCapacity: true)
            if bytes.capacity > server.spareBuffer.capacity { swap(&bytes, &server.spareBuffer) }
            bytes = []
        }
    }

    // MARK: Waiting for room

    /// Suspends a writer of notices until there may be room, or the session has ended.
    func waitForRoom() async {
        await withCheckedContinuation { continuation in
            // Both may have changed before the continuation was made.
            if isClosed || hasRoom { continuation.resume() } else { writers.append(continuation) }
        }
    }

    /// Resumes the waiting writers once half of the room is free.
    func resumeWriters() {
        guard !writers.isEmpty, unsentBytes < SessionLimits.unsentBytes / 2 || isClosed else { return }
        let waiting = writers
        writers = []
        for writer in waiting { writer.resume() }
    }

    /// Drops unsent bytes.
    func close() {
        isClosed = true
        (bytes, start, progressAt) = ([], 0, nil)
        resumeWriters()
    }
}
