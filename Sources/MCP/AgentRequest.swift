import JSON
import RPC
import SearchModel

/// The revisions of the Model Context Protocol, the oldest first.
enum Revision: String, CaseIterable, Sendable {
    case november2024 = "2024-11-05"
    case march2025 = "2025-03-26"
    case june2025 = "2025-06-18"
    case november2025 = "2025-11-25"
    case july2026 = "2026-07-28"

    static let latestOfSessions = Revision.november2025

    static let names = allCases.reversed().map(\.rawValue)

    /// Whether each request names its revision, so that no session is needed.
    var isStateless: Bool { self == .july2026 }
}

enum MetaKey {
    static let meta = "_meta"
    static let protocolVersion = "io.modelcontextprotocol/protocolVersion"
    static let clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
    static let serverInfo = "io.modelcontextprotocol/serverInfo"
    static let progressToken = "progressToken"
}

struct AgentRequest: Sendable {
    enum Method: String, CaseIterable, Sendable {
        case initialize
        case discover = "server/discover"
        case ping
        case listTools = "tools/list"
        case callTool = "tools/call"
        case listResources = "resources/list"
        case listResourceTemplates = "resources/templates/list"
        case readResource = "resources/read"
        case listPrompts = "prompts/list"
        case getPrompt = "prompts/get"
        case complete = "completion/complete"
    }

    let id: RequestID
    let method: Method
    let params: JSONCursor?
    let revision: Revision
    /// A string or a number.
    ///
    /// Nil if the agent wants no progress notifications.
    let progressToken: JSONValue?

    /// If `_meta` names a revision, the request is stateless.
    ///
    /// Other requests belong to the session.
    init(_ id: RequestID, _ method: String, _ params: JSONCursor?, in session: Revision?) throws(AgentError) {
        guard let method = Method(exactly: method) else {
            throw AgentError(SearchError(.methodNotFound, "Method not found"))
        }
        let meta = params?[MetaKey.meta]
        (self.id, self.method, self.params) = (id, method, params)
        progressToken = meta?[MetaKey.progressToken].flatMap { token in
            token.kind == .string || token.kind == .number ? token.value : nil
        }
        if let version = meta?[MetaKey.protocolVersion] {
            revision = try Self.revision(version, meta)
        } else if let session, meta?[MetaKey.clientCapabilities] == nil {
            revision = session
        } else if method == .initialize || method == .ping {
            revision = .latestOfSessions
        } else {
            throw .invalidParams(
                "params.\(MetaKey.meta)",
                "“\(MetaKey.protocolVersion)” is missing",
                hint: "Give the revision in every request (\(Revision.july2026.rawValue)), or send initialize first."
            )
        }
    }

    private static func revision(_ version: JSONCursor, _ meta: JSONCursor?) throws(AgentError) -> Revision {
        let name = version.string ?? ""
        guard let revision = Revision(exactly: name), revision.isStateless else { throw .unsupportedRevision(name) }
        guard meta?[MetaKey.clientCapabilities]?.kind == .object else {
            throw .invalidParams(
                "params.\(MetaKey.meta)",
                "“\(MetaKey.clientCapabilities)” is not an object",
                hint: "Send this member in every request. It may be {}."
            )
        }
        return revision
    }

    func session() throws(AgentError) -> Revision {
        guard let requested = params?["protocolVersion"]?.string else {
            throw .invalidParams(
                "params.protocolVersion",
                "“protocolVersion” is not a string",
                hint: "Give the revision of the protocol, such as \(Revision.latestOfSessions.rawValue)."
            )
        }
        let revision = Revision(exactly: requested) ?? .latestOfSessions
        return revision.isStateless ? .latestOfSessions : revision
    }

    func cursor() throws(AgentError) -> String? {
        guard let cursor = params?[.cursor], !cursor.isNull else { return nil }
        guard cursor.text.count <= 256, let text = cursor.string else { throw .wrongCursor }
        return text
    }

    func onlyPage(_ result: AgentResult) throws(AgentError) -> AgentResult {
        if try cursor() != nil { throw .wrongCursor }
        return result
    }
}
