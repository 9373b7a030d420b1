import Engine
import EventLoop
import JSON
import RPC
import SearchModel

/// One method: what clients may know of it, and what serves it.
protocol Method: Sendable {
    var description: MethodDescription { get }
    var permission: MethodPermission { get }

    /// Begins a call, on the loop; must not wait.
    func begin(_ call: Call) throws(SearchError) -> Beginning
}

extension Method {
    var permission: MethodPermission { .anyone }
}

/// Who may call a method.
enum MethodPermission: Sendable {
    case anyone
    /// Those for whom `Administration` says so; others get `forbidden`.
    case administrators
}

/// One call of a method.
struct Call {
    /// Nil when the request has none.
    let params: JSONCursor?
    let id: RequestID
    let peer: Peer
    /// As whose its work upstream counts.
    let client: ClientIdentity
    let receivedAt: Instant
}

/// How a call goes on.
enum Beginning {
    case answered(Reply)
    /// The answer may also be given to whoever asks with the same parameters while it is good.
    case repeatable(Reply, RepeatableAnswer)
    /// A task works on it, which may take so much memory; cancelled when the caller is.
    case running(
        channel: ChannelClaim?,
        streams: Bool = false,
        memory: Int = 0,
        @Sendable (RequestStream) async throws(SearchError) -> Reply
    )
    /// The session answers it itself, from its own state.
    case session(SessionCall)
}

/// Calls that only the switchboard can answer.
enum SessionCall {
    case hello(clientName: String?)
    case stats
    case metrics
    case reload
}
