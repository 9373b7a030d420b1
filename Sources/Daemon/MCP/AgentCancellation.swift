import JSON
import MCP
import RPC
import SearchModel

/// An agent wants no answer to a request any more: its work ends, and nothing more is sent for it.
struct AgentCancellation: ClientNotification {
    let description = NotificationDescription.cancelled

    func receive(_ params: JSONCursor?, from session: Session) {
        // Unknown ids are those of requests that have been answered: nothing to do, nothing to say.
        guard let id = params?[.requestId].flatMap(RequestID.init) else { return }
        session.requests.abandon(id) { AgentMethodName(exactly: $0) != nil }
    }
}
