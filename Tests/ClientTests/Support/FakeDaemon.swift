import Dispatch
import EventLoop
import Glibc
import Testing

@testable import Client

/// Something that listens where a daemon would, and does with each connection what a test tells it.
final class FakeDaemon: Sendable {
    let path: String
    private let listener: Int32
    private let finished = DispatchSemaphore(value: 0)

    /// Listens at once; connections are served one after the other, on a thread of its own.
    init(at path: String, serve: @escaping @Sendable (FakeConnection) throws -> Void) throws {
        self.path = path
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = try UnixSocket.address(of: path)
        // sockaddr_un may be read as the sockaddr that bind declares; the length is its own.
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 16) == 0)
        self.listener = listener
        try Background.run { [finished] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                // What a test's closure throws shows as what the client then sees: a closed connection.
                try? serve(FakeConnection(owning: connection))
            }
            finished.signal()
        }
    }

    deinit {
        // Wakes the accepting thread, which then ends; only after that may the number be used again.
        shutdown(listener, Int32(SHUT_RDWR))
        finished.wait()
        close(listener)
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
