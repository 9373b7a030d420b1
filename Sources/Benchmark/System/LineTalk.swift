import CPlatform
import Glibc

/// Lines there and back on one connection, every wait with a deadline: the peer may be stuck, or gone.
final class LineTalk {
    private static let chunkBytes = 64 * 1024

    private let connection: Connection
    private var received: [UInt8] = []
    /// Bytes of `received` that hold no end of a line.
    private var scanned = 0
    /// The peer has closed, or the connection broke.
    private(set) var isClosed = false

    init(_ socketPath: String) throws(BenchmarkError) {
        connection = try Connection.unix(socketPath)
        try connection.makeNonblocking()
    }

    /// False when the peer has not taken all of it at the deadline.
    func send(_ bytes: [UInt8], until deadline: Int64) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = SystemCall.send(bytes, from: offset, on: connection.descriptor)
            if count > 0 {
                offset += count
            } else {
                guard wouldBlock, isReady(Int16(POLLOUT), until: deadline) else { return false }
            }
        }
        return true
    }

    /// No more will be sent; answers can still come.
    func endSending() {
        shutdown(connection.descriptor, Int32(SHUT_WR))
    }

    /// The next line without its end; nil when none has come at the deadline, or the peer has closed.
    func line(until deadline: Int64) -> [UInt8]? {
        while true {
            if let end = received[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[..<end])
                received.removeFirst(end + 1)
                scanned = 0
                return line
            }
            scanned = received.count
            guard receive() || (!isClosed && isReady(Int16(POLLIN), until: deadline)) else { return nil }
        }
    }

    /// The next line that holds `mark`; those before it are dropped.
    func line(with mark: String, until deadline: Int64) -> [UInt8]? {
        let mark = Array(mark.utf8)
        while let line = line(until: deadline) {
            let span = line.span
            if span.contains(mark) { return line }
        }
        return nil
    }

    /// Whether anything came.
    private func receive() -> Bool {
        guard !isClosed else { return false }
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        // The count keeps the read within the chunk.
        let count = unsafe read(connection.descriptor, &chunk, chunk.count)
        if count > 0 { received.append(contentsOf: chunk[..<count]) }
        if count == 0 || (count < 0 && !wouldBlock) { isClosed = true }
        return count > 0
    }

    private var wouldBlock: Bool { platform_errno() == EAGAIN || platform_errno() == EINTR }

    private func isReady(_ events: Int16, until deadline: Int64) -> Bool {
        var descriptor = pollfd(fd: connection.descriptor, events: events, revents: 0)
        while true {
            let rest = deadline - SystemCall.now
            guard rest > 0 else { return false }
            // One structure, which outlives the call.
            let count = unsafe poll(&descriptor, 1, Int32(clamping: rest / 1_000_000 + 1))
            if count > 0 { return true }
            if count < 0, platform_errno() != EINTR { return false }
        }
    }
}
