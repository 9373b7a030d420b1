import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

extension Switchboard {
    /// A connection's descriptor has something to read, or room to write, or an end.
    func ready(_ connection: Connection, _ readiness: Readiness) {
        if readiness.contains(.failure) { return drop(connection) }
        if readiness.contains(.writable) {
            flush(connection)
            // There is room now: what was held back for want of it goes on.
            settle(connection)
        }
        if connection.isClosed { return }
        if readiness.contains(.readable), connection.interest.contains(.readable) {
            read(connection, peerHasGone: readiness.contains(.hangup))
        } else if readiness.contains(.hangup) {
            drop(connection)
        }
    }

    /// Reads once and serves what came; the poller tells when there is more.
    func read(_ connection: Connection, peerHasGone: Bool) {
        let outcome: Transfer
        do throws(SystemError) {
            outcome = try unsafe SystemCall.read(connection.descriptor.raw, into: readBuffer.memory)
        } catch {
            return drop(connection)
        }
        switch outcome {
        case .wouldBlock: return
        case .bytes(let count):
            counters.bytesIn += count
            let receivedAt = loop.now
            // The buffer is ours until the next read, which is not within this call.
            unsafe connection.framer.consume(UnsafeRawBufferPointer(rebasing: readBuffer.memory[..<count])) { line in
                unsafe serve(line, connection, receivedAt)
            }
        case .ended:
            if peerHasGone { return drop(connection) }
            connection.inputEnded = true
            let receivedAt = loop.now
            unsafe connection.framer.finish { line in unsafe serve(line, connection, receivedAt) }
        }
        afterServing(connection)
    }

    /// Goes on with lines that a pause left in the framer.
    func resumeReading(_ connection: Connection) {
        connection.isResuming = false
        connection.readingPaused = false
        let receivedAt = loop.now
        unsafe connection.framer.resume { line in unsafe serve(line, connection, receivedAt) }
        afterServing(connection)
    }

    private func serve(_ line: UnsafeRawBufferPointer?, _ connection: Connection, _ now: Instant) -> LineFramer.Demand {
        guard let line = unsafe line else {
            counters.refusedLines += 1
            answer(.null, .failure(EnvelopeReader.lineTooLong), to: Counters.invalidLine, connection)
            return .more
        }
        connection.servedAt = now
        unsafe handle(line, connection, now)
        if connection.isClosed { return .pause }
        if connection.outbox.unsentBytes + scratch.count < outputLimit { return .more }
        // There may be room at once: the socket has not been tried yet in this turn.
        flush(connection)
        if connection.isClosed { return .pause }
        connection.readingPaused = connection.outbox.unsentBytes >= outputLimit
        return connection.readingPaused ? .pause : .more
    }

    private func afterServing(_ connection: Connection) {
        if connection.isClosed { return }
        flush(connection)
        if connection.isClosed || connection.isAtRest { return }
        inputBytes += connection.framer.pendingBytes - connection.countedInput
        connection.countedInput = connection.framer.pendingBytes
        if inputBytes > bufferLimits.inputBytesMax { dropLongestInput() }
        settle(connection)
    }

    /// Makes room at the cost of whoever holds most of it.
    private func dropLongestInput() {
        guard let longest = connections.values.max(by: { $0.countedInput < $1.countedInput }) else { return }
        log.warning("a connection of user \(longest.peer.userID) is dropped: unfinished lines take too much memory")
        drop(longest)
    }

    /// The unsent bytes at which a connection is held back.
    var outputLimit: Int {
        outputBytes > bufferLimits.outputBytesPressing ? Outbox.bytesMaxUnderPressure : Outbox.bytesMax
    }
}
