import JSON
import MCP
import RPC
import SearchModel

/// What a connection of an agent owes and is owed, so that the agent need not notice when the daemon restarts.
///
/// Pure. Invariant: `pending` are the ids of the requests that were passed on and neither answered nor cancelled.
struct AgentLedger {
    /// More requests than these are not remembered: they are lost with their daemon.
    static let pendingMax = 4096

    private var reader = EnvelopeReader()
    private(set) var pending: Set<RequestID> = []
    /// The request that began the session, to be repeated to another daemon.
    private var handshake: (id: RequestID, line: [UInt8])?
    /// Its answer is not for the agent, which has had one.
    private var repeatsHandshake = false

    /// A line of the agent is passed on.
    mutating func sent(_ line: [UInt8]) {
        // The line lives through the call.
        unsafe line.withUnsafeBytes { line in
            guard case .message(let envelope) = unsafe reader.read(line) else { return }
            let method = envelope.method.flatMap { unsafe JSONEntry.name(of: $0, in: line) } ?? ""
            let id = envelope.id.flatMap { unsafe RequestID($0, in: line) }
            switch (envelope.shape, id) {
            case (.request, let id?):
                if pending.count < Self.pendingMax { pending.insert(id) }
                if method.hasSameBytes(as: AgentMethodName.initialize.rawValue) { handshake = (id, unsafe Array(line)) }
            case (.notification, _) where method.hasSameBytes(as: NotificationName.cancelled.rawValue):
                guard let params = envelope.params.map({ reader.index[$0].range }) else { return }
                let root = try? unsafe JSONDocument(Array(line[params])).root
                if let id = root?[.requestId].flatMap(RequestID.init) { pending.remove(id) }
            default: break
            }
        }
    }

    /// A line of the daemon has come; whether it is for the agent.
    mutating func received(_ line: [UInt8]) -> Bool {
        guard let id = Self.answered(line) else { return true }
        if repeatsHandshake, id == handshake?.id, !pending.contains(id) {
            repeatsHandshake = false
            return false
        }
        pending.remove(id)
        return true
    }

    /// The id that a line answers; nil for a notification or a batch.
    private static func answered(_ line: [UInt8]) -> RequestID? {
        if line.starts(with: notification) { return nil }
        // The line lives through the call; most answers begin so, and need not be read as a whole.
        let usual = unsafe line.withUnsafeBytes { line in
            unsafe RepeatedLine(line).map { RequestID(text: unsafe Array(line[$0.id]), hasEscapes: false) }
        }
        if let usual { return usual }
        let root = try? JSONDocument(line, limits: Message.limits).root
        return root?[.id].flatMap(RequestID.init)
    }

    private static let notification = Array(#"{"jsonrpc":"2.0","method":"#.utf8)

    /// An error line for each unanswered request, to be sent when no daemon will answer it.
    mutating func refusePending(with error: SearchError) -> [UInt8] {
        defer { pending = [] }
        var writer = JSONWriter()
        for id in pending.sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
            MessageWriter.failure(id, to: &writer, error: AgentError(error).write)
            writer.endLine()
        }
        return writer.bytes
    }

    /// The daemon has gone.
    static let lost = SearchError(
        .unavailable,
        "the search service ended before it had answered",
        retryable: true,
        hint: "Ask again: another one is there by now, or is started."
    )

    /// The line that continues the session with another daemon; nil when there is no session.
    mutating func rejoined() -> [UInt8]? {
        guard let handshake, !pending.contains(handshake.id) else { return nil }
        repeatsHandshake = true
        return handshake.line
    }
}
