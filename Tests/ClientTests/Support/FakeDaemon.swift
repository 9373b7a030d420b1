import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Client

/// Something that listens where a daemon would, and does with each connection what a test tells it.
final class FakeDaemon: Sendable {
    let path: String
    private let listener: FileDescriptor
    private let thread: WorkerThread

    /// Listens at once; connections are served one after the other, on a thread of its own.
    init(at path: String, serve: @escaping @Sendable (FakeConnection) throws -> Void) throws {
        self.path = path
        listener = try UnixSocket.listen(at: path, backlog: 16)
        let raw = listener.raw
        // The thread waits in accept.
        _ = fcntl(raw, F_SETFL, 0)
        thread = try WorkerThread {
            while case let connection = accept(raw, nil, nil), connection >= 0 {
                // What a test's closure throws shows as what the client then sees: a closed connection.
                try? serve(FakeConnection(owning: connection))
            }
        }
    }

    deinit {
        // Wakes the accepting thread, which then ends; only after that may the number be used again.
        shutdown(listener.raw, Int32(SHUT_RDWR))
        thread.join()
    }
}

/// One connection of a fake daemon; closed when nobody holds it any more.
final class FakeConnection {
    private let socket: FileDescriptor
    private var buffer = LineBuffer(bytesMax: 1 << 20)

    init(owning descriptor: Int32) {
        socket = FileDescriptor(owning: descriptor)
    }

    /// The next line; nil when the client has closed its side.
    func line() throws -> String? {
        while true {
            if let line = try buffer.next() { return String(decoding: line, as: UTF8.self) }
            guard let bytes = try Transfers.read(socket.raw, bytesMax: 4096), !bytes.isEmpty else { return nil }
            buffer.append(bytes)
        }
    }

    func send(_ lines: String...) throws {
        for line in lines {
            var rest = Array("\(line)\n".utf8)[...]
            while !rest.isEmpty, case .bytes(let count) = try Transfers.send(rest, to: socket.raw) {
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Waits until the client has gone, and returns what it said before.
    func rest() throws -> [String] {
        var lines: [String] = []
        while let line = try line() { lines.append(line) }
        return lines
    }
}
