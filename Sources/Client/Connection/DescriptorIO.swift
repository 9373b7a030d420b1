import CPlatform
package import EventLoop
package import Glibc
import SearchModel

/// Reads, writes and waits with system calls, and throws `ClientError`.
package enum DescriptorIO {
    /// Returns an empty array at the end of the input, and nil if nothing can be read now.
    package static func read(_ descriptor: Int32, bytesMax: Int) throws(ClientError) -> [UInt8]? {
        var outcome = Result<Transfer, SystemError>.success(.wouldBlock)
        // The kernel fills at most the buffer's capacity. `count` is the number of filled bytes.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: bytesMax) { buffer, count in
            outcome = Result { () throws(SystemError) in
                try unsafe SystemCall.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
            }
            if case .success(.bytes(let moved)) = outcome { count = moved }
        }
        return try outcome.mapError(ClientError.init).get() == .wouldBlock ? nil : bytes
    }

    package static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) throws(ClientError) -> Transfer {
        // The slice is valid during the call, and the kernel only reads it.
        let outcome = unsafe bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in try unsafe SystemCall.send(socket, buffer) }
        }
        return try outcome.mapError(ClientError.init).get()
    }

    /// Returns the number of written bytes, which is 0 if the output is full.
    package static func write(_ bytes: ArraySlice<UInt8>, to output: Int32) throws(ClientError) -> Int {
        // The slice is valid during the call, and the kernel only reads it.
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(output, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        switch platform_errno() {
        case EINTR, EAGAIN: return 0
        case EPIPE, ECONNRESET: throw ClientError(.outputClosed, "the output is closed")
        case let number:
            let isFull = [ENOSPC, EDQUOT, EFBIG].contains(number)
            throw ClientError(
                .outputFailed,
                SystemError(call: "the output can't be written", number: number).description,
                hint: isFull ? "Free some space, or write to another file." : nil
            )
        }
    }

    package static func wait(for descriptors: Int32?..., until deadline: Instant? = nil) throws(ClientError) -> [Bool] {
        var polled = descriptors.map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
        while try poll(&polled, until: deadline) == nil {}
        return polled.map { $0.revents != 0 }
    }

    /// Returns the number of ready descriptors, 0 at the deadline, and nil after a signal.
    package static func poll(_ polled: inout [pollfd], until deadline: Instant?) throws(ClientError) -> Int32? {
        // The array is valid during the call. The kernel gets the length of the array.
        let count = unsafe Glibc.poll(&polled, nfds_t(polled.count), deadline?.pollTimeout(from: .now) ?? -1)
        if count < 0, platform_errno() != EINTR {
            throw ClientError(SystemError(call: "poll", number: platform_errno()))
        }
        return count < 0 ? nil : count
    }

    static func readAll(_ descriptor: Int32, _ interrupt: Int32?, bytesMax: Int) throws(ClientError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= bytesMax {
            if try wait(for: descriptor, interrupt)[1] { throw ClientError(.interrupted, "interrupted") }
            guard let more = try read(descriptor, bytesMax: 1 << 20) else { continue }
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }
}

extension ClientError {
    package init(_ error: SystemError) {
        self.init(.system, error.description)
    }
}
