import EventLoop
import Glibc

/// A source that attacks its callers, on a port of this machine; it serves until this program ends.
final class HostileUpstream: Sendable {
    private static let headBytesMax = 64 * 1024

    let port: UInt16
    private let listener: LoopbackListener

    init() throws(BenchmarkError) {
        do throws(SystemError) {
            let listener = try LoopbackListener()
            port = listener.port
            let raw = listener.descriptor.raw
            // The thread waits in accept.
            _ = fcntl(raw, F_SETFL, 0)
            self.listener = listener
            _ = try WorkerThread { Self.accept(raw) }
        } catch {
            throw BenchmarkError(error)
        }
    }

    /// One thread per connection: there are few, and they mostly wait.
    private static func accept(_ listener: Int32) {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            if connection < 0 { continue }
            guard (try? WorkerThread { serve(connection) }) != nil else {
                close(connection)
                continue
            }
        }
    }

    private static func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let request = head(connection), let answer = HostileAnswer.chosen(by: request) else { return }
        let length = answer.isEndless ? "" : "Content-Length: \(answer.body.count)\r\n"
        let type = "Content-Type: application/json\r\nConnection: close\r\n"
        guard send(Array((answer.head + type + length + "\r\n").utf8), connection) else { return }
        repeat {
            guard send(answer.body, connection) else { return }
        } while answer.isEndless
        // Unread input at close would make the kernel reset the connection and drop the answer.
        shutdown(connection, Int32(SHUT_WR))
        _ = head(connection)
    }

    /// The head of the request, up to the empty line.
    private static func head(_ connection: Int32) -> [UInt8]? {
        var request: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while request.count < headBytesMax {
            // The count keeps the read within the chunk.
            let count = unsafe read(connection, &chunk, chunk.count)
            guard count > 0 else { return nil }
            request += chunk[..<count]
            let span = request.span
            if span.contains(Array("\r\n\r\n".utf8)) { return request }
        }
        return nil
    }

    /// False when the peer has closed the connection.
    private static func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = SystemCall.send(bytes, from: offset, on: connection)
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }
}
