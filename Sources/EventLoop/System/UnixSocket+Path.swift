import Glibc

extension UnixSocket {
    /// The path that a socket is bound to; nil when it has none, or a name outside the file system.
    package static func path(of socket: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        // The kernel fills at most `length` bytes of the local, which outlives the call and is a sockaddr.
        let result = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(socket, $0, &length)
            }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        // The field is read within the local that holds it; the kernel ends a path with zero, or the field does.
        let path = unsafe withUnsafeBytes(of: &address.sun_path) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return path.isEmpty ? nil : path
    }
}
