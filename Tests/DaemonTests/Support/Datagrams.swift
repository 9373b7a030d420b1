import CPlatform
import EventLoop
import Glibc
import TestSupport

/// A Unix socket that takes datagrams, as the journal's and the service manager's do.
final class Datagrams {
    private let socket: FileDescriptor

    init(at address: String) throws {
        socket = try UnixAddress(address).bind(forDatagrams: true)
    }

    /// The next datagram; what was sent as a piece of memory is read from there.
    func next(_ what: String) throws -> [UInt8] {
        _ = try Waiting.wait(socket.raw, for: Int16(POLLIN), what)
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        // Room for one descriptor: its header is 16 bytes.
        var control = [UInt8](repeating: 0, count: 24)
        var received = 0
        var controlLength = 0
        let descriptor = socket.raw
        // Both arrays live through the call that fills them.
        unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe control.withUnsafeMutableBytes { control in
                var piece = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                unsafe withUnsafeMutablePointer(to: &piece) { piece in
                    var message = unsafe msghdr()
                    unsafe message.msg_iov = piece
                    unsafe message.msg_iovlen = 1
                    unsafe message.msg_control = control.baseAddress
                    unsafe message.msg_controllen = control.count
                    received = unsafe recvmsg(descriptor, &message, Int32(MSG_CMSG_CLOEXEC))
                    controlLength = unsafe message.msg_controllen
                }
            }
        }
        guard received >= 0 else { throw TestFailure("recvmsg: errno \(platform_errno())") }
        guard controlLength >= 20 else { return Array(bytes.prefix(received)) }
        let raw = (0..<4).reduce(Int32(0)) { $0 | Int32(control[16 + $1]) << Int32(8 * $1) }
        return try Self.contents(of: FileDescriptor(owning: raw))
    }

    /// The next datagrams, up to one that holds a text.
    func text(until text: String) throws -> String {
        while true {
            let datagram = String(decoding: try next(text), as: UTF8.self)
            if datagram.contains(text) { return datagram }
        }
    }

    /// Whether another one is there already.
    var hasMore: Bool {
        var byte: UInt8 = 0
        // Looks at one byte and leaves it.
        return unsafe recv(socket.raw, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0
    }

    /// Forgets those that are there.
    func drop() {
        var byte: UInt8 = 0
        // A datagram goes as a whole, however little of it is taken.
        while unsafe recv(socket.raw, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 {}
    }

    private static func contents(of memory: borrowing FileDescriptor) throws -> [UInt8] {
        guard fcntl(memory.raw, 1034) & 0xF == 0xF else { throw TestFailure("the memory is not sealed") }
        lseek(memory.raw, 0, SEEK_SET)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe read(memory.raw, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return bytes
    }
}
