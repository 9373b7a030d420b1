import EventLoop
import RPC

/// What a session sends.
extension Session {
    /// Answers a request, alone or in its batch; written now when there is room, else when there is.
    func answer(_ id: RequestID, _ reply: Reply, to method: String, in batch: PendingBatch? = nil) {
        shared.counters.answered(method, reply)
        if let batch { output.answer(id, reply, in: batch) } else { output.answer(id, reply) }
    }

    /// Writes a line that answers no request, as soon as its reader is no longer behind.
    ///
    /// - Parameter line: Is called when there is room; nil when the line is no longer wanted.
    /// - Returns: False when it was not written, since it is no longer wanted or the session has ended.
    @discardableResult
    func write(_ line: () -> [UInt8]?) async -> Bool {
        // After each wait all is asked anew: the session may have ended, and the line may be wanted no longer.
        while !isClosed {
            shared.loop.checkIsolated()
            if output.hasRoomForNotice {
                guard let bytes = line() else { return false }
                output.write(bytes)
                flushAndSettle()
                return true
            }
            await output.waitForRoom()
        }
        return false
    }

    /// Sends what has been written, as far as the socket takes it.
    func flush() {
        if !output.flush() { close() }
    }

    func flushAndSettle() {
        flush()
        settle()
    }
}
