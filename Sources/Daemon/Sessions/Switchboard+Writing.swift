import EventLoop
import Glibc
import RPC
import SearchModel

extension Switchboard {
    /// Answers a request; written now when there is room, else when there is.
    func answer(_ id: RequestID, _ reply: Reply, to method: String, _ connection: Connection) {
        counters.answered(method, reply)
        guard connection.openBatch == nil else {
            return hand([.answer(id, reply), .text([UInt8(ascii: "\n")])], connection)
        }
        put(.answer(id, reply), endsLine: true, connection)
    }

    /// Hands whole lines over, in order; they wait for the end of a batch whose line has begun.
    func hand(_ items: [Outbox.Item], _ connection: Connection) {
        for item in items {
            if connection.openBatch == nil {
                put(item, connection)
            } else {
                connection.behindBatch.append(item)
                connection.behindBatchBytes += item.bytesMax
            }
        }
    }

    /// Writes an item now when there is room, else when there is.
    func put(_ item: Outbox.Item, endsLine: Bool = false, _ connection: Connection) {
        guard !connection.isClosed else { return }
        let hasRoom = connection.outbox.unsentBytes + scratch.count < outputLimit
        if !connection.outbox.hasWaiting, hasRoom {
            write(item, to: &scratch)
            if endsLine { scratch.append(UInt8(ascii: "\n")) }
        } else {
            connection.outbox.wait(item)
            if endsLine { connection.outbox.wait(.text([UInt8(ascii: "\n")])) }
        }
    }

    private func write(_ item: Outbox.Item, to output: inout [UInt8]) {
        switch item {
        case .answer(let id, let reply): reply.write(id: id, to: &output, now: loop.now)
        case .notice(let id, let notice): output.append(contentsOf: notice.line(of: id, at: loop.now))
        case .text(let bytes): output.append(contentsOf: bytes)
        }
    }

    /// Sends what this turn has written for a connection, and what waited before it, as far as the socket takes it.
    func flush(_ connection: Connection) {
        guard !connection.isClosed else { return scratch.removeAll(keepingCapacity: true) }
        if connection.outbox.isEmpty {
            sendScratch(connection)
        } else {
            if !scratch.isEmpty {
                unsafe scratch.withUnsafeBytes { unsafe connection.outbox.append($0, now: loop.now) }
            }
            clearScratch()
            sendOutbox(connection)
        }
    }

    /// The common case: nothing waits, and all of it goes out at once, without a copy into the connection.
    private func sendScratch(_ connection: Connection) {
        guard !scratch.isEmpty else { return }
        defer { clearScratch() }
        do throws(SystemError) {
            let descriptor = connection.descriptor.raw
            let outcome = try unsafe scratch.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
                try unsafe SystemCall.send(descriptor, bytes)
            }
            switch outcome {
            case .ended: drop(connection)
            case .bytes(scratch.count): counters.bytesOut += scratch.count
            case .bytes(let count):
                counters.bytesOut += count
                keepRest(from: count, connection)
            case .wouldBlock: keepRest(from: 0, connection)
            }
        } catch {
            drop(connection)
        }
    }

    private func keepRest(from count: Int, _ connection: Connection) {
        // The rest of the buffer is copied within the call.
        unsafe scratch.withUnsafeBytes { bytes in
            unsafe connection.outbox.append(UnsafeRawBufferPointer(rebasing: bytes[count...]), now: loop.now)
        }
    }

    private func sendOutbox(_ connection: Connection) {
        while true {
            fill(connection)
            guard connection.outbox.unsentBytes > 0 else { return }
            do throws(SystemError) {
                let descriptor = connection.descriptor.raw
                let outcome = try unsafe connection.outbox.withUnsent { (bytes) throws(SystemError) in
                    try unsafe SystemCall.send(descriptor, bytes)
                }
                switch outcome {
                case .bytes(let count):
                    counters.bytesOut += count
                    connection.outbox.sent(count, now: loop.now)
                case .wouldBlock: return
                case .ended: return drop(connection)
                }
            } catch {
                return drop(connection)
            }
        }
    }

    /// Writes waiting items into the outbox while there is room.
    private func fill(_ connection: Connection) {
        while let item = connection.outbox.nextItem(limit: outputLimit) {
            var bytes: [UInt8] = []
            write(item, to: &bytes)
            unsafe bytes.withUnsafeBytes { unsafe connection.outbox.append($0, now: loop.now) }
        }
    }

    /// Gives a large scratch buffer back once it is empty.
    private func clearScratch() {
        if scratch.capacity > 2 * Outbox.bytesMax { scratch = [] } else { scratch.removeAll(keepingCapacity: true) }
    }

    /// Brings a connection's interest, timers, waiting writers and memory in line with its buffers; closes it when it is
    /// finished.
    func settle(_ connection: Connection) {
        guard !connection.isClosed else { return }
        if connection.isFinished { return drop(connection) }
        if isDraining && connection.isIdle { return sayGoodbye(connection) }
        account(for: connection)
        if connection.isClosed { return }
        updateInterest(connection)
        updateStallTimer(connection)
        let hasRoom = connection.outbox.unsentBytes < outputLimit / 2
        if hasRoom, connection.openBatch == nil, !connection.writers.isEmpty {
            let writers = connection.writers
            connection.writers = []
            for writer in writers { writer.resume() }
        }
        if !work.isEmpty { startWork() }
        if connection.readingPaused, !connection.isResuming { resumeOrHoldBack(connection) }
    }

    /// Goes on serving a connection that was paused, when it is its turn, or leaves it until others hold less.
    private func resumeOrHoldBack(_ connection: Connection) {
        guard mayServe(connection) else {
            if connection.outbox.unsentBytes < outputLimit { heldBack.insert(connection.number) }
            return
        }
        heldBack.remove(connection.number)
        connection.isResuming = true
        dueToServe.append(connection.number)
        if dueToServe.count == 1 { serveNextDue() }
    }

    /// Goes on with one connection in a turn of its own: what others send is read before the next.
    private func serveNextDue() {
        loop.perform {
            self.onLoop { board in
                // It stays in front meanwhile: who is due again goes to the end.
                if let connection = board.connections[board.dueToServe[0]] { board.resumeReading(connection) }
                board.dueToServe.removeFirst()
                if !board.dueToServe.isEmpty { board.serveNextDue() }
            }
        }
    }

    private func updateInterest(_ connection: Connection) {
        var interest: Interest = []
        if !connection.inputEnded, !connection.readingPaused { interest.insert(.readable) }
        if !connection.outbox.isEmpty { interest.insert(.writable) }
        guard interest != connection.interest, let watch = connection.watch else { return }
        do throws(SystemError) {
            try loop.change(watch, to: interest)
            connection.interest = interest
        } catch {
            log.warning("a connection can't be watched: \(error)")
            drop(connection)
        }
    }

    private func updateStallTimer(_ connection: Connection) {
        guard connection.outbox.unsentBytes > 0 else {
            if let timer = connection.stallTimer { loop.cancel(timer) }
            connection.stallTimer = nil
            return
        }
        guard connection.stallTimer == nil else { return }
        let number = connection.number
        connection.stallTimer = loop.schedule(at: connection.outbox.stallDeadline) { [self] in
            onLoop { $0.checkStall(number) }
        }
    }

    private func checkStall(_ number: UInt64) {
        guard let connection = connections[number] else { return }
        connection.stallTimer = nil
        if loop.now >= connection.outbox.stallDeadline {
            counters.connectionsStalled += 1
            log.info("a connection of user \(connection.peer.userID) is dropped: it has not read for 30 s")
            drop(connection)
        } else {
            updateStallTimer(connection)
        }
    }

    /// Ends a connection: its requests are cancelled, what it was sent is forgotten.
    func drop(_ connection: Connection) {
        guard !connection.isClosed else { return }
        connection.isClosed = true
        if let watch = connection.watch { loop.unwatch(watch) }
        if let timer = connection.stallTimer { loop.cancel(timer) }
        for request in connection.inFlight.values { stop(request, connection) }
        connection.inFlight = [:]
        for writer in connection.writers { writer.resume() }
        connection.writers = []
        heldBack.remove(connection.number)
        connections[connection.number] = nil
        account(for: connection)
        if !work.isEmpty { startWork() }
        if connections.isEmpty { emptySince = loop.now }
        acceptor?.left(connection.peer)
        endDrainIfDone()
    }
}
