import JSON
import MCP
import RPC
import SearchModel

/// The user's saved items as resources.
struct ListResourcesMethod: AgentMethod {
    let name = AgentMethodName.listResources
    let permission = MethodPermission.ownData

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        call.begin(.libraryList, try LibraryResource.listParams(call.params), for: request, LibraryResource.list)
    }
}

/// How the address of a saved item is made.
struct ListResourceTemplatesMethod: AgentMethod {
    let name = AgentMethodName.listResourceTemplates

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        try ListCursor.requireNone(call.params)
        return .answered(.result(LibraryResource.templates.bytes(in: request.revision)))
    }
}

/// A saved item in full, as quoted text.
struct ReadResourceMethod: AgentMethod {
    /// Draws the mark of a quotation.
    let mark: @Sendable () -> UInt32

    let name = AgentMethodName.readResource
    let permission = MethodPermission.ownData

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        guard let uri = call.params?["uri"]?.string else {
            throw .invalidParams(
                "params.uri",
                "“uri” is missing or no string",
                hint: "resources/list has the addresses."
            )
        }
        guard let params = LibraryResource.readParams(uri) else { throw .resourceNotFound(uri, in: request.revision) }
        let quote = QuotedText(mark: mark())
        let notFound = AgentError.resourceNotFound(uri, in: request.revision)
        return call.begin(.libraryGet, params, for: request, refusing: notFound) { document in
            LibraryResource.contents(document, at: uri, quote)
        }
    }
}
