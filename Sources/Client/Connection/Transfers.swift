import CPlatform
package import EventLoop
import Glibc
import SearchModel

/// Moving bytes between descriptors and arrays, with the client's errors.
package enum Transfers {
    /// What is there to read; empty at the end, nil when there is nothing now.
    package static func read(_ descriptor: Int32, bytesMax: Int) throws(ClientError) -> [UInt8]? {
        var outcome = Result<Transfer, SystemError>.success(.wouldBlock)
        // The kernel fills at most the buffer's capacity, and what it filled is what counts as initialised.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: bytesMax) { buffer, count in
            outcome = Result { () throws(SystemError) in
                try unsafe SystemCall.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
            }
            if case .success(.bytes(let moved)) = outcome { count = moved }
        }
        return try success(outcome) == .wouldBlock ? nil : bytes
    }

    /// Sends as many of the bytes as the socket takes.
    package static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) throws(ClientError) -> Transfer {
        // The slice lives through the call, and the kernel only reads it.
        let outcome = unsafe bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in try unsafe SystemCall.send(socket, buffer) }
        }
        return try success(outcome)
    }

    /// Writes some of the bytes to our output; none when it takes none now.
    package static func write(_ bytes: ArraySlice<UInt8>, to output: Int32) throws(ClientError) -> Int {
        // The slice lives through the call, and the kernel only reads it.
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(output, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        switch platform_errno() {
        case EINTR, EAGAIN: return 0
        // The reader has left, or the terminal has gone.
        case EPIPE, ECONNRESET, EIO: throw ClientError(.outputClosed, "the output is closed")
        case let number where [ENOSPC, EDQUOT, EFBIG].contains(number):
            throw ClientError(
                .outputFailed,
                SystemError(call: "the output can't be written", number: number).description,
                hint: "Make room there, or write to another file."
            )
        case let number: throw ClientError(SystemError(call: "writing the output", number: number))
        }
    }

    /// Waits until one of the descriptors can be read or has ended, or for an instant.
    ///
    /// - Returns: Of each whether it is so; of none at the deadline.
    package static func wait(for descriptors: Int32?..., until deadline: Instant? = nil) throws(ClientError) -> [Bool] {
        var polled = descriptors.map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
        while true {
            // The kernel fills the array, whose length is given, during the call.
            let count = unsafe poll(&polled, nfds_t(polled.count), deadline?.pollTimeout(from: .now) ?? -1)
            if count >= 0 { return polled.map { $0.revents != 0 } }
            guard platform_errno() == EINTR else { throw ClientError(.system, "the input can't be waited for") }
        }
    }

    /// Makes a directory and those above it, for this user alone; what exists stays, and what can't be made is left
    /// out.
    static func makeDirectories(_ path: String) {
        let ends = path.indices.dropFirst().filter { path[$0] == "/" } + [path.endIndex]
        for end in ends {
            // The path lives through the call.
            _ = unsafe mkdir(String(path[..<end]), 0o700)
        }
    }

    private static func success(_ outcome: Result<Transfer, SystemError>) throws(ClientError) -> Transfer {
        switch outcome {
        case .success(let transfer): return transfer
        case .failure(let error): throw ClientError(error)
        }
    }
}

extension ClientError {
    /// A system call that should have worked.
    package init(_ error: SystemError) {
        self.init(.system, error.description)
    }
}

/// Cuts what the daemon sends into lines; pure.
///
/// Invariant: no line feed stands in `storage[start..<scanned]`.
package struct LineBuffer {
    private let bytesMax: Int
    private var storage: [UInt8] = []
    private var start = 0
    private var scanned = 0

    /// - Parameter bytesMax: The longest line, without its end.
    package init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// Whether a line has begun and not ended.
    package var hasUnfinishedLine: Bool { start < storage.count }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start > storage.count / 2 {
            storage.removeFirst(start)
            scanned -= start
            start = 0
        }
        storage.append(contentsOf: bytes)
    }

    /// The next complete line without its end; nil when there is none yet.
    ///
    /// Empty lines are passed over.
    ///
    /// - Complexity: O(n) over all bytes ever appended.
    /// - Throws: When a line, finished or not, is longer than allowed.
    package mutating func next() throws(ClientError) -> [UInt8]? {
        while let end = storage[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = storage[start..<end]
            start = end + 1
            scanned = start
            let trimmed = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if trimmed.count > bytesMax { throw tooLong }
            if !trimmed.isEmpty { return Array(trimmed) }
        }
        scanned = storage.count
        if storage.count - start > bytesMax + 1 { throw tooLong }
        return nil
    }

    private var tooLong: ClientError {
        ClientError(.protocolViolated, "the daemon sent a line of more than \(bytesMax) bytes")
    }
}

/// Bytes that wait to be written.
///
/// Invariant: `start` ≤ `storage.count`.
struct ByteQueue {
    private var storage: [UInt8] = []
    private var start = 0

    var count: Int { storage.count - start }
    var isEmpty: Bool { storage.count == start }

    mutating func append(_ bytes: some Collection<UInt8>) {
        storage.append(contentsOf: bytes)
    }

    /// The bytes at the front, at most `countMax`.
    func front(_ countMax: Int) -> ArraySlice<UInt8> {
        storage[start...].prefix(countMax)
    }

    /// Forgets the bytes at the front that have been written.
    ///
    /// - Complexity: O(1) on average over all bytes.
    mutating func drop(_ count: Int) {
        start += count
        if start == storage.count {
            removeAll()
        } else if start > storage.count / 2 {
            storage.removeFirst(start)
            start = 0
        }
    }

    mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        start = 0
    }
}
