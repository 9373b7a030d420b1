import CPlatform
import Glibc

/// System calls, with interrupted ones repeated and "would block" as a value.
///
/// SIGPIPE never arises from these: sockets are written with MSG_NOSIGNAL, and programs ignore it at their start.
package enum SystemCall {
    /// Reads what has arrived, at most the buffer's size.
    package static func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Transfer {
        let outcome = try Transfer.performing("read") {
            // The kernel writes at most `count` bytes into the caller's buffer.
            let result = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            return (result, result < 0 ? platform_errno() : 0)
        }
        return unsafe outcome == .bytes(0) && !buffer.isEmpty ? .ended : outcome
    }

    /// Writes as much of the buffer to a socket as it takes.
    package static func send(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Transfer {
        try Transfer.performing("send") {
            // The kernel reads at most `count` bytes from the caller's buffer.
            let result = unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            return (result, result < 0 ? platform_errno() : 0)
        }
    }

    /// A stream socket that blocks, unless the flags say otherwise; programs that are started later do not get it.
    static func streamSocket(_ family: Int32, _ flags: UInt32 = 0) throws(SystemError) -> FileDescriptor {
        let raw = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | flags), 0)
        guard raw >= 0 else { throw SystemError.last("socket") }
        return FileDescriptor(owning: raw)
    }

    /// The next connection of a listener; nil when none waits.
    package static func accept(_ listener: Int32) throws(SystemError) -> FileDescriptor? {
        while true {
            let raw = platform_accept(listener)
            if raw >= 0 { return FileDescriptor(owning: raw) }
            let number = platform_errno()
            switch number {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return nil
            default: throw SystemError(call: "accept4", number: number)
            }
        }
    }

    /// How many bytes wait to be read from a socket; 0 when that can't be told.
    package static func unreadBytes(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        // The local outlives the call.
        return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Sets O_NONBLOCK and FD_CLOEXEC on a descriptor that came from outside.
    package static func prepareInherited(_ descriptor: Int32) throws(SystemError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw SystemError.last("fcntl") }
    }
}

/// Calls with a list of C strings that ends in NULL, as exec wants it; the list is valid during the call only.
package func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
) -> Result {
    // Each string is copied and freed after the body; the list ends in NULL.
    var pointers = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
}
