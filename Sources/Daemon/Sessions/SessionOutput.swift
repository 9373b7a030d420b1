import EventLoop

/// The output of a session, which is sent when the client reads; used only on the loop.
final class SessionOutput {
    /// A larger buffer is freed instead of being kept for the next session.
    private static let spareBytesMax = 4 * SessionLimits.unsentBytes
    /// How much larger than the unsent bytes a buffer may be.
    private static let slackBytes = 64 << 10

    private let socket: Int32
    private let server: ConnectionServer
    /// The written bytes; the bytes before `start` are already sent.
    private var bytes: [UInt8] = []
    private var start = 0
    /// When the socket began to refuse data; nil if no data waits for the socket.
    private var progressAt: Instant?
    private var writers: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false

    init(to socket: Int32, _ server: ConnectionServer) {
        self.socket = socket
        self.server = server
    }

    var isEmpty: Bool { bytes.isEmpty }
    var unsentBytes: Int { bytes.count - start }
    /// The client must read before this time, or the session is dropped; nil if no data waits.
    var deadline: Instant? { progressAt?.advanced(by: SessionLimits.progress) }
    var hasRoom: Bool { unsentBytes < SessionLimits.unsentBytes }

    /// Writes whole lines; the caller must flush them before its step ends.
    func write(_ body: (inout [UInt8]) -> Void) {
        guard !isClosed else { return }
        if bytes.isEmpty { swap(&bytes, &server.spareBuffer) }
        body(&bytes)
    }

    /// Sends what the socket accepts; returns false if the connection has ended.
    func flush() -> Bool {
        while start < bytes.count {
            // The bytes are valid during the call.
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

    /// Moves the unsent bytes to a smaller buffer, because a slow client may hold the buffer for a long time.
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

    func waitForRoom() async {
        await withCheckedContinuation { continuation in
            // The state may have changed before the continuation was created.
            if isClosed || hasRoom { continuation.resume() } else { writers.append(continuation) }
        }
    }

    /// Resumes the waiting writers when at least half of the output is free.
    func resumeWriters() {
        guard !writers.isEmpty, unsentBytes < SessionLimits.unsentBytes / 2 || isClosed else { return }
        let waiting = writers
        writers = []
        for writer in waiting { writer.resume() }
    }

    func close() {
        isClosed = true
        (bytes, start, progressAt) = ([], 0, nil)
        resumeWriters()
    }
}
