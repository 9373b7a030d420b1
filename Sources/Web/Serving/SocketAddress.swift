import CPlatform
import EventLoop
import Glibc

/// A numeric IP address and port.
struct SocketAddress: Equatable, Sendable {
    let host: String
    let port: UInt16

    /// Parses an address such as `127.0.0.1:8888`, `localhost:8888` or `[::1]:8888`.
    init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), let port = UInt16(text[colon...].dropFirst())
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "localhost" { host = "127.0.0.1" }
        self.init(host: host, port: port)
        guard unsafe withSocketAddress({ _, _ in true }) == true else { return nil }
    }

    private init(host: String, port: UInt16) {
        (self.host, self.port) = (host, port)
    }

    init?(peerOf raw: Int32) {
        unsafe self.init { unsafe getpeername(raw, $0, $1) == 0 }
    }

    init?(of raw: Int32) {
        unsafe self.init { unsafe getsockname(raw, $0, $1) == 0 }
    }

    private init?(_ ask: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Bool) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // The storage is large and aligned enough for every address, and is valid during the calls.
        let isKnown = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe ask($0, &length) }
        }
        let isIPv4 = storage.ss_family == sa_family_t(AF_INET)
        guard isKnown, isIPv4 || storage.ss_family == sa_family_t(AF_INET6) else { return nil }
        // The port has the same offset in both families, but the address has different offsets.
        let (port, text) = unsafe withUnsafeBytes(of: &storage) { bytes in
            let port = UInt16(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let address = unsafe bytes.baseAddress.map { unsafe $0 + (isIPv4 ? 4 : 8) }
            // The call ends the text with NUL and writes at most `count` bytes.
            guard let address = unsafe address,
                unsafe inet_ntop(isIPv4 ? AF_INET : AF_INET6, address, &buffer, socklen_t(buffer.count)) != nil
            else { return (port, "") }
            return (port, String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        self.init(host: text, port: port)
    }

    var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    func listen() throws(SystemError) -> FileDescriptor {
        let family = host.contains(":") ? AF_INET6 : AF_INET
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let raw = socket(family, Int32(flags), 0)
        guard raw >= 0 else { throw SystemError(call: "socket", number: platform_errno()) }
        let descriptor = FileDescriptor(owning: raw)
        var one: Int32 = 1
        // The kernel reads the four bytes of `one`. Without this option, it refuses a port in TIME_WAIT.
        _ = unsafe setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        let isBound = unsafe withSocketAddress { unsafe bind(raw, $0, $1) == 0 } ?? false
        guard isBound, Glibc.listen(raw, 1024) == 0 else {
            throw SystemError(call: "listening on \(text)", number: platform_errno())
        }
        return descriptor
    }

    private func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        // The list is valid until it is freed below.
        guard unsafe getaddrinfo(host, "\(port)", &hints, &found) == 0, let first = unsafe found else { return nil }
        defer { unsafe freeaddrinfo(found) }
        return unsafe first.pointee.ai_addr.map { unsafe body($0, first.pointee.ai_addrlen) }
    }
}
