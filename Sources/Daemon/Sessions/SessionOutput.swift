import EventLoop

/// The output of a session, which is sent when the client reads; used only on the loop.
final class SessionOutput {
    private static let spareBytesMax = 4 * SessionLimits.unsentBytes
    private static let slackBytes = 64 << 10

    private let socket: Int32
    private let server: ConnectionServer
    /// The bytes before `start` are already sent.
    private var bytes: [UInt8] = []
    private var start = 0
    /// When the socket began to refuse data; nil if no data waits.
    private var progressAt: Instant?
    private var writers: [CheckedContinuation<Void, Never>] = []
    private var isClosed = false

    init(to socket: Int32, _ server: ConnectionServer) {
        self.socket = socket
        self.server = server
    }

    var isEmpty: Bool { bytes.isEmpty }
    var unsentBytes: Int { bytes.count - start }
    var deadline: Instant? { progressAt?.advanced(by: SessionLimits.progress) }
    var hasRoom: Bool { unsentBytes < SessionLimits.unsentBytes }

    /// Writes whole lines; the caller must flush them.
    func write(_ body: (inout [UInt8]) -> Void) {
        guard !isClosed else { return }
        if bytes.isEmpty { swap(&bytes, &server.spareBuffer) }
        body(&bytes)
    }

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

    /// Moves the unsent bytes to a smaller buffer, because a slow client may read them late.
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
