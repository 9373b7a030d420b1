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

    /// Goes on with the messages of a batch, and with lines that a pause left in the framer.
    func resumeReading(_ connection: Connection) {
        connection.isResuming = false
        connection.readingPaused = false
        let receivedAt = loop.now
        if let batch = connection.batch { goOn(with: batch, connection, receivedAt) }
        if connection.isClosed { return }
        connection.readingPaused = connection.batch != nil
        if !connection.readingPaused {
            unsafe connection.framer.resume { line in unsafe serve(line, connection, receivedAt) }
        }
        afterServing(connection)
    }

    private func serve(_ line: UnsafeRawBufferPointer?, _ connection: Connection, _ now: Instant) -> LineFramer.Demand {
        connection.servedAt = now
        var isRepeated = false
        if let line = unsafe line {
            isRepeated = unsafe repeats(line, connection, now)
            if !isRepeated { unsafe handle(line, connection, now) }
        } else {
            counters.refusedLines += 1
            answer(.null, .failure(EnvelopeReader.lineTooLong), to: Counters.invalidLine, connection)
        }
        if connection.isClosed { return .pause }
        if isRepeated, connection.outbox.unsentBytes + scratch.count < outputLimit { return .more }
        connection.readingPaused = mustPause(connection, servedSince: now) || connection.batch != nil
        return connection.readingPaused || connection.isClosed ? .pause : .more
    }

    /// Whether a connection has no room for further answers, or its turn has been long enough.
    func mustPause(_ connection: Connection, servedSince began: Instant) -> Bool {
        // There may be room at once: the socket has not been tried yet in this turn.
        if !mayServe(connection) { flush(connection) }
        return connection.isClosed || !mayServe(connection) || began.duration(to: loop.now) >= Self.servingMax
    }

    private func afterServing(_ connection: Connection) {
        if connection.isClosed { return }
        flush(connection)
        if connection.isClosed || connection.isAtRest { return }
        connection.inputBytes = connection.framer.bytesHeld
        settle(connection)
    }
}
