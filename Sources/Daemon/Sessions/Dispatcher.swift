import EventLoop
import JSON
import RPC
import SearchModel

/// From a line to what it asks for: the messages in it, their methods, who may call these, and how the calls begin.
///
/// Confined to the loop.
final class Dispatcher {
    private let methods: MethodTable
    private let shared: SessionResources
    private var envelopes = EnvelopeReader()
    private(set) var permissions: Permissions

    init(_ methods: MethodTable, _ permissions: Permissions, _ shared: SessionResources) {
        self.methods = methods
        self.permissions = permissions
        self.shared = shared
    }

    /// The configuration names another group of administrators.
    func change(adminGroupID: UInt32?) {
        permissions.adminGroupID = adminGroupID
    }

    // MARK: Lines

    /// Serves a line; a batch is returned, to be served message by message.
    ///
    /// Nil stands for a line that was too long to be kept.
    func serve(_ line: UnsafeRawBufferPointer?, of session: Session, at now: Instant) -> PendingBatch? {
        guard let line = unsafe line else {
            refuse(EnvelopeReader.lineTooLong, of: session)
            return nil
        }
        switch unsafe envelopes.read(line) {
        case .message(let envelope): unsafe serve(Message(envelope, line, session, now, batch: nil))
        case .batch(let messages): return unsafe PendingBatch(line, messages: messages)
        case .refused(let error): refuse(error, of: session)
        }
        return nil
    }

    /// Serves one message of a batch.
    func serve(
        messageOf batch: PendingBatch,
        _ message: UnsafeRawBufferPointer,
        of session: Session,
        at now: Instant
    ) {
        let envelope = unsafe envelopes.readMessage(message)
        unsafe serve(Message(envelope, message, session, now, batch: batch))
    }

    /// Answers what is no message.
    private func refuse(
        _ error: SearchError,
        _ id: RequestID = .null,
        of session: Session,
        in batch: PendingBatch? = nil
    ) {
        shared.counters.refusedLines += 1
        session.answer(id, .failure(error), to: Counters.invalidLine, in: batch)
    }

    // MARK: Messages

    /// A message on its way to what serves it.
    ///
    /// Its text is lent while it is served: it must not be kept.
    @safe private struct Message {
        let envelope: Envelope
        let text: UnsafeRawBufferPointer
        let session: Session
        let receivedAt: Instant
        let batch: PendingBatch?

        init(
            _ envelope: Envelope,
            _ text: UnsafeRawBufferPointer,
            _ session: Session,
            _ receivedAt: Instant,
            batch: PendingBatch?
        ) {
            self.envelope = envelope
            unsafe self.text = text
            self.session = session
            self.receivedAt = receivedAt
            self.batch = batch
        }

        var method: String { envelope.method.flatMap { unsafe JSONEntry.name(of: $0, in: text) } ?? "" }
    }

    private func serve(_ message: Message) {
        switch message.envelope.shape {
        case .request:
            guard let entry = message.envelope.id, let id = unsafe RequestID(entry, in: message.text) else { return }
            message.batch?.expect()
            begin(message, as: id)
        case .notification:
            shared.counters.notifications += 1
            // One that is wrong or unknown is ignored: notifications are never answered.
            guard let notification = methods[notification: message.method],
                let params = try? parameters(of: message)
            else { return }
            notification.receive(params, from: message.session)
        case .invalid(let problem):
            let id = message.envelope.id.flatMap { unsafe RequestID($0, in: message.text) }
            message.batch?.expect()
            refuse(problem.error, id ?? .null, of: message.session, in: message.batch)
        }
    }

    private func begin(_ message: Message, as id: RequestID) {
        let (name, session) = (message.method, message.session)
        let method = methods[name]
        let counted = method?.description.name ?? Counters.unknownMethod
        do throws(SearchError) {
            guard !session.requests.contains(id) else { throw SessionErrors.duplicateID }
            guard !shared.isDraining else { throw SessionErrors.shuttingDown }
            guard let method else {
                shared.counters.unknownMethods += 1
                throw methods.notFound(name)
            }
            shared.counters.requested(counted)
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
                    messageBytes: message.text.count,
                    workBytes: bytes,
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
            // The whole line was valid, so its part is.
            throw SearchError(.internal, "the parameters could not be read again")
        }
    }
}
