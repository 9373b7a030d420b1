import EventLoop
import JSON
import RPC
import SearchModel

/// Parses the messages of a line and begins their methods; used only on the loop.
final class Dispatcher {
    var methods = MethodTable([])
    var permissions: Permissions
    private var envelopes = EnvelopeReader()

    init(_ permissions: Permissions) {
        self.permissions = permissions
    }

    /// `line` is nil if it was too long; the caller must serve the returned batch.
    func serve(_ line: UnsafeRawBufferPointer?, of session: Session, at now: Instant) -> PendingBatch? {
        guard let line = unsafe line else {
            refuse(EnvelopeReader.lineTooLong, of: session)
            return nil
        }
        switch unsafe envelopes.read(line) {
        case .message(let envelope): unsafe serve(Message(envelope: envelope, text: line, receivedAt: now), of: session)
        case .batch(let messages): return unsafe PendingBatch(line, messages: messages)
        case .refused(let error): refuse(error, of: session)
        }
        return nil
    }

    func serve(
        messageOf batch: PendingBatch,
        _ text: UnsafeRawBufferPointer,
        of session: Session,
        at now: Instant
    ) {
        let envelope = unsafe envelopes.readMessage(text)
        unsafe serve(Message(envelope: envelope, text: text, receivedAt: now, batch: batch), of: session)
    }

    private func refuse(
        _ error: SearchError,
        _ id: RequestID = .null,
        of session: Session,
        in batch: PendingBatch? = nil
    ) {
        session.answer(id, .failure(error), to: Counters.invalidLine, in: batch)
    }

    /// The text is valid only while the message is served.
    @safe private struct Message {
        let envelope: Envelope
        let text: UnsafeRawBufferPointer
        let receivedAt: Instant
        var batch: PendingBatch?

        var method: String { envelope.method.flatMap { unsafe JSONEntry.name(of: $0, in: text) } ?? "" }
        var id: RequestID? { envelope.id.flatMap { unsafe RequestID($0, in: text) } }
    }

    private func serve(_ message: Message, of session: Session) {
        switch message.envelope.shape {
        case .request:
            guard let id = message.id else { return }
            message.batch?.expect()
            begin(message, as: id, of: session)
        case .notification:
            session.server.counters.notifications += 1
            // Notifications get no answer, so unknown and invalid notifications are ignored.
            guard message.method.hasSameBytes(as: CancelRequest.name) else { return }
            CancelRequest.receive(try? parameters(of: message), from: session)
        case .invalid(let problem):
            message.batch?.expect()
            refuse(problem.error, message.id ?? .null, of: session, in: message.batch)
        }
    }

    private func begin(_ message: Message, as id: RequestID, of session: Session) {
        let name = message.method
        let method = methods[name]
        let counted = method?.description.name ?? Counters.unknownMethod
        do throws(SearchError) {
            guard !session.requests.contains(id) else { throw SessionErrors.duplicateID }
            guard !session.server.isDraining else { throw SessionErrors.shuttingDown }
            guard let method else { throw methods.notFound(name) }
            let refusal = permissions.refusal(of: method.permission, to: session.peer) { session.peerGroups }
            if let refusal { throw refusal }
            let call = Call(
                params: try parameters(of: message),
                session: session,
                methods: methods,
                permissions: permissions,
                receivedAt: message.receivedAt
            )
            switch try method.begin(call) {
            case .answered(let answer): session.answer(id, answer, to: counted, in: message.batch)
            case .superseding(let answer, let channel):
                session.requests.answered(on: channel)
                session.answer(id, answer, to: counted, in: message.batch)
            case .running(let channel, let streams, let bytes, let work):
                let request = unsafe Request(
                    id,
                    to: counted,
                    on: channel?.name,
                    streams: streams,
                    in: message.batch,
                    receivedAt: message.receivedAt,
                    bytes: (message.text.count, bytes),
                    work: work
                )
                session.requests.run(request, on: channel)
            }
        } catch {
            session.answer(id, .failure(error), to: counted, in: message.batch)
        }
    }

    private func parameters(of message: Message) throws(SearchError) -> JSONCursor? {
        guard let index = message.envelope.params else { return nil }
        do throws(JSONError) {
            return try unsafe JSONDocument(Array(message.text[envelopes.index[index].range]), limits: .wire).root
        } catch {
            // The whole line is valid JSON, so its parts are valid, too.
            throw SearchError(.internal, "the parameters could not be read again")
        }
    }
}
