import Engine
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

extension Switchboard {
    /// Serves a line that has not led to an answer before.
    func handle(_ line: UnsafeRawBufferPointer, _ connection: Connection, _ now: Instant) {
        switch unsafe envelopes.read(line) {
        case .message(let envelope): unsafe handle(envelope, line, connection, now, batch: nil)
        case .batch(let messages):
            let batch = unsafe BatchLine(line, messages: messages, answers: PendingBatch())
            connection.batch = batch
            goOn(with: batch, connection, now)
        case .refused(let error):
            counters.refusedLines += 1
            answer(.null, .failure(error), to: Counters.invalidLine, connection)
        }
    }

    /// Begins further messages of a batch, as many as there is room and time for.
    func goOn(with batch: BatchLine, _ connection: Connection, _ now: Instant) {
        repeat {
            // The message is lent for the call.
            unsafe batch.takeNext { message in
                let envelope = unsafe envelopes.readMessage(message)
                unsafe handle(envelope, message, connection, now, batch: batch.answers)
            }
        } while !batch.isDone && !mustPause(connection, servedSince: now)
        if connection.isClosed { return }
        // What is held of its answers makes room for the rest only when it is sent.
        guard batch.isDone else { return progressed(batch.answers, connection, isShort: !mayServe(connection)) }
        connection.batch = nil
        batch.answers.seal()
        progressed(batch.answers, connection)
    }

    private func handle(
        _ envelope: Envelope,
        _ line: UnsafeRawBufferPointer,
        _ connection: Connection,
        _ now: Instant,
        batch: PendingBatch?
    ) {
        switch envelope.shape {
        case .request:
            guard let entry = envelope.id, let id = unsafe RequestID(entry, in: line) else { return }
            batch?.expect()
            unsafe begin(id, envelope, line, connection, now, batch)
        case .notification:
            counters.notifications += 1
            unsafe notified(envelope, line, connection)
        case .invalid(let problem):
            counters.refusedLines += 1
            let id = envelope.id.flatMap { unsafe RequestID($0, in: line) } ?? .null
            batch?.expect()
            reply(id, .failure(problem.error), to: Counters.invalidLine, connection, batch)
        }
    }

    /// Answers a line that, but for its id, has led to an answer that is still good: a few copies and no more.
    func repeats(_ line: UnsafeRawBufferPointer, _ connection: Connection, _ now: Instant) -> Bool {
        guard connection.inFlight.isEmpty, !connection.outbox.hasWaiting, !isDraining,
            let repeated = unsafe RepeatedLine(line)
        else { return false }
        // The parts are of the line, which outlives this call.
        let key = unsafe UnsafeRawBufferPointer(rebasing: line[repeated.rest])
        guard let found = unsafe finishedAnswers.answer(for: key, now: now) else { return false }
        let id = unsafe UnsafeRawBufferPointer(rebasing: line[repeated.id])
        scratch.append(atMost: Reply.envelopeBytes + id.count + found.template.bytesMax) { room in
            unsafe Reply.begin(id, to: &room)
            found.template.write(to: &room, now: now, since: now)
            room.copy("}\n")
        }
        counters.repeatedSearches += 1
        return true
    }

    // MARK: Beginning

    private func begin(
        _ id: RequestID,
        _ envelope: Envelope,
        _ line: UnsafeRawBufferPointer,
        _ connection: Connection,
        _ now: Instant,
        _ batch: PendingBatch?
    ) {
        let name = envelope.method.flatMap { unsafe JSONEntry.name(of: $0, in: line) } ?? ""
        let method = methods[name]
        let counted = method?.description.name ?? Counters.unknownMethod
        do throws(SearchError) {
            guard connection.inFlight[id] == nil else { throw Self.duplicateID }
            guard !isDraining else { throw Self.shuttingDown }
            guard let method else {
                counters.unknownMethods += 1
                throw methods.notFound(name)
            }
            counters.requestsByMethod[counted, default: 0] += 1
            let groups = { Peer.groups(of: connection.descriptor.raw) }
            let refusal = permissions.refusal(of: method.permission, to: connection.peer, groups: groups)
            if let refusal { throw refusal }
            let range = envelope.params.map { envelopes.index[$0].range }
            let params = range.map { unsafe Array(line[$0]) }
            let call = Call(
                params: try Self.document(params),
                id: id,
                session: connection,
                methods: methods,
                receivedAt: now
            )
            switch try method.begin(call) {
            case .answered(let answer): reply(id, answer, to: counted, connection, batch)
            case .repeatable(let answer, let repeatable):
                reply(id, answer, to: counted, connection, batch)
                if batch == nil { unsafe remember(repeatable, line) }
            case .running(let channel, let streams, let bytes, let work):
                run(call, counted, channel, streams: streams, memory: bytes, work, connection, batch)
            }
        } catch {
            reply(id, .failure(error), to: counted, connection, batch)
        }
    }

    private func remember(_ answer: RepeatableAnswer, _ line: UnsafeRawBufferPointer) {
        guard let repeated = unsafe RepeatedLine(line) else { return }
        unsafe finishedAnswers.insert(
            answer.template,
            for: UnsafeRawBufferPointer(rebasing: line[repeated.rest]),
            leases: answer.leases,
            pageCount: answer.pageCount,
            validUntil: answer.validUntil
        )
    }

    func reply(
        _ id: RequestID,
        _ reply: Reply,
        to method: String,
        _ connection: Connection,
        _ batch: PendingBatch?
    ) {
        guard let batch else { return answer(id, reply, to: method, connection) }
        counters.answered(method, reply)
        connection.batchBytes -= batch.bytesHeld
        batch.add(id, reply)
        connection.batchBytes += batch.bytesHeld
        progressed(batch, connection)
    }

    /// Writes what there is of a batch, when that is all of it, or too much to hold, or the rest of what was begun.
    private func progressed(_ batch: PendingBatch, _ connection: Connection, isShort: Bool = false) {
        guard batch.isComplete || batch.isOpen || isShort || batch.bytesHeld >= outputLimit else { return }
        if let open = connection.openBatch, open !== batch {
            // Another's line is being written: behind it whole ones only.
            guard batch.isComplete else { return }
            connection.batchBytes -= batch.bytesHeld
            return hand(batch.takeItems(), connection)
        }
        connection.batchBytes -= batch.bytesHeld
        connection.openBatch = batch
        for item in batch.takeItems() { put(item, connection) }
        if !batch.isOpen { endOpenBatch(connection) }
    }

    /// The line of a batch has ended, or there is none: what waited behind it follows.
    private func endOpenBatch(_ connection: Connection) {
        connection.openBatch = nil
        let items = connection.behindBatch
        connection.behindBatch = []
        connection.behindBatchBytes = 0
        for item in items { put(item, connection) }
    }

    // MARK: Notifications

    private func notified(_ envelope: Envelope, _ line: UnsafeRawBufferPointer, _ connection: Connection) {
        guard let method = envelope.method,
            unsafe JSONEntry.name(of: method, in: line)?.hasSameBytes(as: "$/cancelRequest") == true,
            let params = envelope.params, envelopes.index[params].kind == .object
        else { return }
        var place = params + 1
        while place < Int(envelopes.index[params].next) {
            let (name, value) = (envelopes.index[place], envelopes.index[place + 1])
            if unsafe EnvelopeReader.isID(name, in: line), let id = unsafe RequestID(value, in: line) {
                // Unknown ids are those of requests that have been answered: nothing to do, nothing to say.
                end(id, with: .failure(Self.cancelled), connection)
            }
            place = Int(value.next)
        }
    }

    private static func document(_ bytes: [UInt8]?) throws(SearchError) -> JSONCursor? {
        guard let bytes else { return nil }
        do throws(JSONError) {
            return try JSONDocument(bytes, limits: .wire).root
        } catch {
            // The whole line was valid, so its part is.
            throw SearchError(.internal, "the parameters could not be read again")
        }
    }
}
