import CPlatform
import EventLoop
import Glibc
import TestSupport

/// A Unix socket that receives datagrams, as a service manager does.
final class Datagrams {
    private let socket: FileDescriptor

    init(at address: String) throws {
        socket = try UnixAddress(address).bind(forDatagrams: true)
    }

    private func next(_ what: String) throws -> [UInt8] {
        _ = try Waiting.wait(socket.raw, for: Int16(POLLIN), what)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe recv(socket.raw, &bytes, bytes.count, 0)
        guard count >= 0 else { throw TestFailure("recv: errno \(platform_errno())") }
        return Array(bytes.prefix(count))
    }

    func text(until text: String) throws -> String {
        while true {
            let datagram = String(decoding: try next(text), as: UTF8.self)
            if datagram.contains(text) { return datagram }
        }
    }

    var hasMore: Bool {
        var byte: UInt8 = 0
        // The call reads one byte and leaves it in the queue.
        return unsafe recv(socket.raw, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0
    }

    func drop() {
        var byte: UInt8 = 0
        while unsafe recv(socket.raw, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 {}
    }
}
