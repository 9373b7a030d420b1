import CPlatform
import EventLoop
import Glibc

/// The buffer into which all connections are read, one at a time.
final class InputBuffer {
    /// Room for the deepest batch of usual answers, and for two of the longest.
    private static let capacity = 2 * AnswerFraming.answerBytesMax

    private(set) var bytes = [UInt8](repeating: 0, count: capacity)

    /// Puts `partial` at the beginning and what has arrived behind it.
    ///
    /// - Returns: How many bytes there are now; nil when the other side has closed.
    func receive(from descriptor: Int32, after partial: [UInt8]) -> Int? {
        precondition(partial.count <= Self.capacity / 2)
        // Both regions lie within the buffer: what is kept is no longer than half of it.
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe bytes.copyBytes(from: partial)
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[partial.count...])
            return unsafe Glibc.read(descriptor, room.baseAddress, room.count)
        }
        if count > 0 { return partial.count + count }
        return count < 0 && (platform_errno() == EAGAIN || platform_errno() == EINTR) ? partial.count : nil
    }
}

/// One connection of the load and its requests in flight.
final class LoadConnection {
    let socket: FileDescriptor
    var batch = Batch()
    /// The beginning of an answer whose rest has not arrived.
    var partial: [UInt8] = []

    init(_ socket: consuming FileDescriptor) {
        self.socket = socket
    }
}
