import CPlatform
import EventLoop
import Glibc
import JSON

/// A connection for requests and answers.
///
/// Every wait has a deadline.
package final class ServerConnection {
    private static let chunkBytes = 64 * 1024

    private let socket: FileDescriptor
    private var received: [UInt8] = []
    private var scanned = 0
    package private(set) var isClosed = false

    package init(_ socketPath: String) throws { socket = try UnixSocket.connect(to: socketPath) }

    init(port: UInt16) throws {
        socket = try LoopbackListener.connect(port: port)
        _ = fcntl(socket.raw, F_SETFL, O_NONBLOCK)
    }

    init(owning descriptor: Int32) {
        socket = FileDescriptor(owning: descriptor)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    @discardableResult
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

    func line(until deadline: Int64) -> [UInt8]? {
        while true {
            if let end = received[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[..<end])
                received.removeFirst(end + 1)
                scanned = 0
                return line
            }
            scanned = received.count
            guard receive(until: deadline) else { return nil }
        }
    }

    package func line(with mark: String, until deadline: Int64) -> [UInt8]? {
        let mark = Array(mark.utf8)
        while let line = line(until: deadline) {
            let span = line.span
            if span.contains(mark) { return line }
        }
        return nil
    }

    func answer(to request: [UInt8], within limit: Duration) -> [UInt8]? {
        let deadline = SystemCall.now + limit.saturatingNanoseconds
        return send(request, until: deadline) ? line(until: deadline) : nil
    }

    func result(_ method: String, _ params: String = "{}", within limit: Duration = .seconds(60)) throws -> JSONCursor {
        let line = answer(to: Wire.request(1, method, params), within: limit)
        guard let result = Wire.result(line) else {
            let text = line.map { String(decoding: $0.prefix(400), as: UTF8.self) } ?? "nothing within \(limit)"
            throw BenchmarkError("\(method) was answered with \(text)")
        }
        return result
    }

    func rest(until deadline: Int64) -> [UInt8] {
        while receive(until: deadline) {}
        return received
    }

    private func receive(until deadline: Int64) -> Bool {
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        while !isClosed {
            // The count limits the read to the chunk.
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
            // The count is one, and the local variable is valid during the call.
            let count = unsafe poll(&descriptor, 1, Int32(clamping: rest / 1_000_000 + 1))
            if count > 0 { return true }
            if count < 0, platform_errno() != EINTR { return false }
        }
    }
}

/// Writes requests in JSON-RPC, and reads the answers.
enum Wire {
    static let ping = request(1, "server/ping")

    static func request(_ id: Int, _ method: String, _ params: String = "{}") -> [UInt8] {
        Array((object(id, method, params) + "\n").utf8)
    }

    static func object(_ id: Int, _ method: String, _ params: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }

    static func search(_ query: String, _ source: String, _ more: String = "") -> String {
        #"{"query":"\#(query)","sources":["\#(source)"]\#(more)}"#
    }

    static func isResult(_ line: [UInt8]?) -> Bool {
        guard let span = line?.span else { return false }
        return span.contains(Array(#","result":"#.utf8))
    }

    static func result(_ line: [UInt8]?) -> JSONCursor? {
        line.flatMap { try? JSONDocument($0) }?.root["result"]
    }
}
