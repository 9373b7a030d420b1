import Glibc

extension SystemCall {
    /// Sends bytes from an offset on, `count` at most, without a signal when the other side has gone; how many, or -1.
    static func send(_ bytes: [UInt8], from offset: Int, count: Int = .max, on descriptor: Int32) -> Int {
        precondition(offset >= 0 && offset < bytes.count && count > 0)
        // The offset and the count keep the call within the array.
        return unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(
                descriptor,
                $0.baseAddress.map { unsafe $0 + offset },
                min(count, bytes.count - offset),
                Int32(MSG_NOSIGNAL)
            )
        }
    }
}
