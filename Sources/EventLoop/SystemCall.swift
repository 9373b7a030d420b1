import CPlatform
import Glibc

/// Wrappers of system calls.
///
/// `read`, `send` and `accept` retry after EINTR.
package enum SystemCall {
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

    package static func send(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) throws(SystemError) -> Transfer {
        try Transfer.performing("send") {
            // The kernel reads at most `count` bytes from the caller's buffer.
            let result = unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            return (result, result < 0 ? platform_errno() : 0)
        }
    }

    static func streamSocket(_ family: Int32, _ flags: UInt32 = 0) throws(SystemError) -> FileDescriptor {
        let raw = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | flags), 0)
        guard raw >= 0 else { throw SystemError.last("socket") }
        return FileDescriptor(owning: raw)
    }

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

    package static func unreadBytes(_ descriptor: Int32) -> Int {
        var count: Int32 = 0
        // The local is valid during the call.
        return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    package static func prepareInherited(_ descriptor: Int32) throws(SystemError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw SystemError.last("fcntl") }
    }
}

/// Calls `body` with a NULL-terminated list for exec.
///
/// The list is valid only during the call.
package func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
) -> Result {
    // Each string is copied, and freed after `body` returns.
    var pointers = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
}

extension SystemCall {
    package static func contents(of path: String) -> [UInt8]? {
        // The path is valid during the call.
        let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        let descriptor = FileDescriptor(owning: raw)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            // The kernel writes at most the length of the chunk.
            let count = unsafe Glibc.read(descriptor.raw, &chunk, chunk.count)
            if count < 0 { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    package static func target(ofLink path: String) -> [UInt8]? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        // The kernel writes at most as many bytes as the array has, without a terminating NUL.
        let count = unsafe readlink(path, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return bytes[..<count].map { UInt8(bitPattern: $0) }
    }

    /// Returns nil, with the reason in `errno`, if the directory can't be read.
    package static func names(in directory: String) -> [String]? {
        // Only this function uses the stream, and closes it.
        guard let stream = unsafe opendir(directory) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // The entry is valid until the next call of readdir. Its name ends with NUL and is copied before that call.
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    package let call: String
    package let number: Int32

    package init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    static func last(_ call: String) -> SystemError {
        SystemError(call: call, number: platform_errno())
    }

    package var description: String {
        // The call writes at most `count` bytes and ends them with NUL.
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress else { return "error \(number)" }
            unsafe platform_error_text(number, base, buffer.count)
            return unsafe String(cString: base)
        }
        return "\(call): \(text)"
    }
}

package enum Transfer: Equatable, Sendable {
    case bytes(Int)
    case wouldBlock
    case ended
}

extension Transfer {
    /// `attempt` returns the result of a system call, and errno if the result is negative.
    package static func performing(
        _ call: String,
        _ attempt: () -> (result: Int, number: Int32)
    ) throws(SystemError) -> Transfer {
        while true {
            let (result, number) = attempt()
            if result >= 0 { return .bytes(result) }
            switch number {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case EPIPE, ECONNRESET: return .ended
            case EBADF, EFAULT: fatalError("\(call): errno \(number) is a defect of the caller")
            default: throw SystemError(call: call, number: number)
            }
        }
    }
}
