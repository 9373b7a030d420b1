import Engine
import EventLoop
import JSON
import RPC
import SearchModel
import Upstream

/// One method: what clients may know of it, who may call it, and what serves it.
///
/// A method is one record: all that the daemon does with it, from `server/hello` and `rpc.discover` to permissions,
/// comes from here by way of `MethodTable`. Its description stands in `RPC/Contract`, which clients and the manual read
/// too.
protocol Method: Sendable {
    /// Name, summary, parameters and result.
    var description: MethodDescription { get }
    var permission: MethodPermission { get }
    /// What `server/hello` lists as soon as the method is in the table.
    var capabilities: [String] { get }

    /// Begins a call, on the loop; must not wait.
    func begin(_ call: Call) throws(SearchError) -> Beginning
}

extension Method {
    var permission: MethodPermission { .anyone }
    var capabilities: [String] { [] }
}

/// One notification that clients may send, which is never answered: what they may know of it, and what it does.
protocol ClientNotification: Sendable {
    /// Name, summary and parameters.
    var description: NotificationDescription { get }

    /// On the loop; must not wait. What is wrong with the parameters is ignored.
    func receive(_ params: JSONCursor?, from session: Session)
}

/// Who may call a method; others get `forbidden`.
enum MethodPermission: Sendable {
    case anyone
    /// Every user whom the daemon can tell from the others: the method works on data of the caller's own.
    case ownData
    /// Root, the daemon's own user and the members of its admin group.
    case administrators
}

/// One call of a method.
struct Call {
    /// Nil when the request has none.
    let params: JSONCursor?
    /// The connection that it came on.
    let session: Session
    /// The table that the method is in.
    let methods: MethodTable
    let permissions: Permissions
    let receivedAt: Instant

    /// The client that its calls to sources are charged to.
    var client: ClientIdentity { session.client }
    var isAdministrator: Bool { permissions.isAdministrator(session.peer) { session.peerGroups } }
}

/// How a call goes on.
enum Beginning {
    case answered(Reply)
    /// An older request on the channel ends.
    case superseding(Reply, channel: String)
    /// A task works on it, which may take about so much memory beside its parameters; cancelled when the caller is.
    case running(
        channel: ChannelClaim?,
        streams: Bool = false,
        memory: Int = 0,
        @Sendable (RequestStream) async throws(SearchError) -> Reply
    )
}
