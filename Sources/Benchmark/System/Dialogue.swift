import Glibc

/// One request after another on one connection, each waited for: for preparing, never for measuring.
final class Dialogue {
    /// How long an answer may take before the peer counts as stuck.
    private static let answerSecondsMax = 20

    private let connection: Connection
    private var received: [UInt8] = []

    init(_ connection: Connection) throws(BenchmarkError) {
        self.connection = connection
        var limit = timeval(tv_sec: Self.answerSecondsMax, tv_usec: 0)
        _ = try SystemCall.checked("limiting the wait for an answer") {
            // setsockopt copies the structure, whose length is given.
            unsafe setsockopt(
                connection.descriptor,
                SOL_SOCKET,
                SO_RCVTIMEO,
                &limit,
                socklen_t(MemoryLayout<timeval>.size)
            )
        }
    }

    func send(_ bytes: some Collection<UInt8>) throws(BenchmarkError) {
        var rest = ArraySlice(bytes)
        while !rest.isEmpty {
            let count = try SystemCall.checked("sending a request") {
                // The count keeps the call within the slice.
                unsafe rest.withUnsafeBytes {
                    unsafe Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
            }
            rest.removeFirst(count)
        }
    }

    /// The next whole frame, with its end.
    func frame(_ framing: AnswerFraming) throws(BenchmarkError) -> [UInt8] {
        while true {
            // A copy of the reference, so that the span's owner can't change under it.
            let bytes = received
            switch framing.first(in: bytes.span) {
            case .answer(let length, _), .wrong(let length):
                let frame = Array(received[..<length])
                received.removeFirst(length)
                return frame
            case .broken:
                throw BenchmarkError(.answer, "an answer without end or form")
            case .incomplete:
                guard try receive() else {
                    throw BenchmarkError(.answer, "the peer closed the connection before it answered")
                }
            }
        }
    }

    /// Everything until the peer closes.
    func rest() throws(BenchmarkError) -> [UInt8] {
        while try receive() {}
        defer { received = [] }
        return received
    }

    /// False when the peer has closed.
    private func receive() throws(BenchmarkError) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let count = try SystemCall.checked("waiting for an answer") {
            // The count keeps the read within the chunk.
            unsafe read(connection.descriptor, &chunk, chunk.count)
        }
        received.append(contentsOf: chunk[..<count])
        return count > 0
    }
}
