import CPlatform
import EventLoop
import Glibc

/// Requests and answers on one connection; every wait has a deadline, since the peer may hang or end.
package final class Dialogue {
    private static let chunkBytes = 64 * 1024
    /// The timeout of calls without a deadline.
    private static let secondsMax: Int64 = 20

    private let socket: FileDescriptor
    private var received: [UInt8] = []
    /// How many bytes of `received` are known to hold no line feed.
    private var scanned = 0
    /// The peer has closed, or the connection broke.
    package private(set) var isClosed = false

    /// Connects to a Unix socket.
    package init(_ socketPath: String) throws(BenchmarkError) {
        socket = try SystemCall.connect(socketPath)
    }

    /// False when the peer has not read all of it by the deadline.
    package func send(_ bytes: [UInt8], until deadline: Int64) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = SystemCall.send(bytes, from: offset, on: socket.raw)
            if count > 0 {
                offset += count
            } else {
                guard wouldBlock, isReady(Int16(POLLOUT), until: deadline) else { return false }
            }
        }
        return true
    }

    func send(_ bytes: [UInt8]) throws(BenchmarkError) {
        guard send(bytes, until: Self.deadline) else {
            throw BenchmarkError(.answer, "the peer did not read a request within \(Self.secondsMax) s")
        }
    }

    /// Closes the sending side; answers can still come.
    func endSending() {
        shutdown(socket.raw, Int32(SHUT_WR))
    }

    /// The next line without its line feed; nil when none has come by the deadline, or the peer has closed.
    func line(until deadline: Int64) -> [UInt8]? {
        while true {
            if let end = received[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[..<end])
                drop(end + 1)
                return line
            }
            scanned = received.count
            guard receive(until: deadline) else { return nil }
        }
    }

    /// The line that answers a request; nil when it has not come within so many nanoseconds.
    func answer(to request: [UInt8], within nanoseconds: Int64) -> [UInt8]? {
        let deadline = SystemCall.now + nanoseconds
        return send(request, until: deadline) ? line(until: deadline) : nil
    }

    /// The next line that holds `mark`; those before it are dropped.
    package func line(with mark: String, until deadline: Int64) -> [UInt8]? {
        let mark = Array(mark.utf8)
        while let line = line(until: deadline) {
            let span = line.span
            if span.contains(mark) { return line }
        }
        return nil
    }

    /// The next whole frame, with its end.
    func frame(_ framing: AnswerFraming) throws(BenchmarkError) -> [UInt8] {
        let deadline = Self.deadline
        while true {
            // A copy of the reference, so that the span's owner can't change under it.
            let bytes = received
            switch framing.first(in: bytes.span) {
            case .answer(let length, _), .wrong(let length):
                let frame = Array(received[..<length])
                drop(length)
                return frame
            case .broken:
                throw BenchmarkError(.answer, "an answer without end or form")
            case .incomplete:
                guard receive(until: deadline) else { throw missing }
            }
        }
    }

    private static var deadline: Int64 { SystemCall.now + secondsMax * 1_000_000_000 }

    private var missing: BenchmarkError {
        isClosed
            ? BenchmarkError(.answer, "the peer closed the connection before it answered")
            : BenchmarkError(.answer, "the peer did not answer within \(Self.secondsMax) s")
    }

    private func drop(_ count: Int) {
        received.removeFirst(count)
        scanned = 0
    }

    /// Whether anything came before the deadline.
    private func receive(until deadline: Int64) -> Bool {
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        while !isClosed {
            // The count keeps the read within the chunk.
            let count = unsafe read(socket.raw, &chunk, chunk.count)
            if count > 0 {
                received.append(contentsOf: chunk[..<count])
                return true
            }
            isClosed = count == 0 || !wouldBlock
            guard !isClosed, isReady(Int16(POLLIN), until: deadline) else { return false }
        }
        return false
    }

    private var wouldBlock: Bool { platform_errno() == EAGAIN || platform_errno() == EINTR }

    private func isReady(_ events: Int16, until deadline: Int64) -> Bool {
        var descriptor = pollfd(fd: socket.raw, events: events, revents: 0)
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
