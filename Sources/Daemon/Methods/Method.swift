import Engine
import EventLoop
import JSON
import Personal
import RPC
import SearchModel
import Upstream

/// A method of the protocol: its description, who may call it, and the function that starts a call.
struct Method: Sendable {
    let description: MethodDescription
    let permission: MethodPermission
    let capabilities: [String]
    let begin: @Sendable (Call) throws(SearchError) -> Beginning

    init(
        _ description: MethodDescription,
        for permission: MethodPermission = .anyone,
        capabilities: [String] = [],
        begin: @escaping @Sendable (Call, inout Parameters) throws(SearchError) -> Beginning
    ) {
        self.description = description
        self.permission = permission
        self.capabilities = capabilities
        self.begin = { call throws(SearchError) in
            var parameters = try Parameters(call.params)
            return try begin(call, &parameters)
        }
    }

    typealias OwnWork = @Sendable (PersonalStore, RequestStream) async throws(SearchError) -> Reply

    /// Creates a method that uses the caller's own data; `memory` is an estimate in bytes.
    init(
        _ description: MethodDescription,
        on data: PersonalData,
        capabilities: [String] = [],
        memory: Int = SavedItem.bytesMax,
        read: @escaping @Sendable (Call, UserData, inout Parameters) throws(SearchError) -> OwnWork
    ) {
        self.init(description, for: .ownData, capabilities: capabilities) { call, parameters throws(SearchError) in
            let user = try data.user(of: call)
            let work = try read(call, user, &parameters)
            try parameters.finish()
            return .running(channel: nil, memory: memory) { stream throws(SearchError) in
                try await user.use { store throws(SearchError) in try await work(store, stream) }
            }
        }
    }
}

/// Who may call a method; other users get the error `forbidden`.
enum MethodPermission: Sendable {
    case anyone
    /// Users that the daemon can distinguish from other users.
    case ownData
    case administrators
}

struct Call {
    let params: JSONCursor?
    let session: Session
    let methods: MethodTable
    let permissions: Permissions
    let receivedAt: Instant

    var client: ClientIdentity { session.client }
    var isAdministrator: Bool { permissions.isAdministrator(session.peer) { session.peerGroups } }
}

/// What a call does first: it is answered at once, or a task continues it.
enum Beginning {
    case answered(Reply)
    /// Answered at once; the older request on the channel ends.
    case superseding(Reply, channel: String)
    /// `memory` is an estimate in bytes.
    case running(
        channel: ChannelClaim?,
        streams: Bool = false,
        memory: Int = 0,
        @Sendable (RequestStream) async throws(SearchError) -> Reply
    )
}

/// All methods by name; two methods with the same name stop the program at start.
struct MethodTable: Sendable {
    private let methods: [ExactText: Method]
    let descriptions: [MethodDescription]
    let capabilities: [String]

    init(_ methods: [Method]) {
        self.methods = Dictionary(uniqueKeysWithValues: methods.map { (ExactText($0.description.name), $0) })
        descriptions = methods.map(\.description)
        capabilities = methods.flatMap(\.capabilities)
    }

    var personal: Set<String> { Set(methods.values.filter { $0.permission == .ownData }.map(\.description.name)) }

    subscript(name: String) -> Method? { methods[ExactText(name)] }

    func notFound(_ name: String) -> SearchError {
        let nearest = NearestName.of(name, among: descriptions.map(\.name))
        let hint =
            name.hasSameBytes(as: "initialize")
            ? "“searchctl mcp” serves the Model Context Protocol."
            : nearest.map(NearestName.question) ?? "rpc.discover lists the methods."
        return SearchError(.methodNotFound, "unknown method", retryable: false, hint: hint)
    }
}
