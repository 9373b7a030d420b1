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

/// Reading what is small, without saying why it can't be read.
extension SystemCall {
    /// All that a file holds, which may be one of the kernel's, of unknown size; nil when it can't be read.
    package static func contents(of path: String) -> [UInt8]? {
        // The path lives through the call.
        let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        let descriptor = FileDescriptor(owning: raw)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            // The count keeps the read within the chunk.
            let count = unsafe Glibc.read(descriptor.raw, &chunk, chunk.count)
            if count < 0 { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// Where a symbolic link leads; nil for what is no link, or leads farther than a path may.
    package static func target(ofLink path: String) -> [UInt8]? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Writes at most as many bytes as the array has, without a NUL.
        let count = unsafe readlink(path, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return bytes[..<count].map { UInt8(bitPattern: $0) }
    }

    /// The names in a directory, but for itself and its parent; nil when it can't be read, and `errno` says why.
    package static func names(in directory: String) -> [String]? {
        // The stream is used by this function alone, and closed at its end.
        guard let stream = unsafe opendir(directory) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // The entry is valid until the next call of readdir; its name, which ends in zero, is copied before.
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// A system call that failed.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call's name, and what it was for where that helps.
    package let call: String
    package let number: Int32

    package init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    /// The failure of the call that has just returned.
    static func last(_ call: String) -> SystemError {
        SystemError(call: call, number: platform_errno())
    }

    package var description: String {
        // The call writes at most `count` bytes into our buffer and ends them with NUL.
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress else { return "error \(number)" }
            unsafe platform_error_text(number, base, buffer.count)
            return unsafe String(cString: base)
        }
        return "\(call): \(text)"
    }
}

/// What came of reading from, or writing to, a descriptor that does not block.
package enum Transfer: Equatable, Sendable {
    case bytes(Int)
    /// Nothing now; the poller tells when to try again.
    case wouldBlock
    /// The other side has closed its end.
    case ended
}

extension Transfer {
    /// Runs one call until a signal does not interrupt it, and names its outcome.
    ///
    /// - Parameters:
    ///   - call: The name for the error.
    ///   - attempt: Performs the call once; its result, and errno when that is negative.
    /// - Returns: What was moved, or why nothing was.
    /// - Throws: Any errno but EINTR, EAGAIN and those that say that the peer has gone.
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
