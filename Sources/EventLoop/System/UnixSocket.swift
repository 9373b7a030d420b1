import CPlatform
import Glibc

/// Unix stream sockets by path.
package enum UnixSocket {
    /// A socket bound to a path that does not exist yet, listening.
    package static func listen(at path: String, backlog: Int32) throws(SystemError) -> FileDescriptor {
        let descriptor = try make()
        guard unsafe withAddress(path, { address, length in unsafe bind(descriptor.raw, address, length) }) == 0 else {
            throw SystemError.last("bind")
        }
        guard Glibc.listen(descriptor.raw, backlog) == 0 else { throw SystemError.last("listen") }
        return descriptor
    }

    /// Whether somebody listens at a path; true also when it can't be told, so that nobody is pushed aside.
    package static func isServed(_ path: String) throws(SystemError) -> Bool {
        let descriptor = try make()
        let result = unsafe withAddress(path) { address, length in unsafe connect(descriptor.raw, address, length) }
        return result == 0 || ![ECONNREFUSED, ENOENT].contains(platform_errno())
    }

    private static func make() throws(SystemError) -> FileDescriptor {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let raw = socket(AF_UNIX, type, 0)
        guard raw >= 0 else { throw SystemError.last("socket") }
        return FileDescriptor(owning: raw)
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        precondition(path.utf8.count < capacity, "the caller has checked the length")
        // The path and its NUL fit into the field, whose bytes are zero to begin with.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
            unsafe field.copyBytes(from: path.utf8)
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
