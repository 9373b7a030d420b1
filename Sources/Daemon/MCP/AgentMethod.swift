import Engine
import JSON
import MCP
import RPC
import SearchModel

/// One request of the Model Context Protocol, and what serves it.
protocol AgentMethod: Sendable {
    var name: AgentMethodName { get }
    var permission: MethodPermission { get }

    /// Begins a request, on the loop; must not wait.
    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning
}

extension AgentMethod {
    var permission: MethodPermission { .anyone }
}

/// A request of that protocol among the methods of the daemon: its messages are JSON-RPC, too, and its names are its
/// own.
struct ServedAgentMethod: Method {
    let description: MethodDescription
    private let method: any AgentMethod

    init(_ method: any AgentMethod) {
        self.method = method
        description = MethodDescription(method.name.rawValue, summary: "", result: [])
    }

    var permission: MethodPermission { method.permission }
    var capabilities: [String] { method.name == .callTool ? ["mcp"] : [] }

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        do throws(AgentError) {
            return try method.begin(AgentRequest(call.params, of: method.name, in: call.session.agent), call)
        } catch {
            return .answered(.refusal(error))
        }
    }
}

extension Call {
    /// The same caller calls a method of the daemon.
    ///
    /// - Parameters:
    ///   - name: The method.
    ///   - params: Its parameters, a JSON object.
    ///   - request: What the agent has asked for.
    /// - Returns: How that goes on.
    /// - Throws: What the method throws; `forbidden` when the caller may not call it.
    func begin(_ name: String, _ params: [UInt8], for request: AgentRequest) throws(SearchError) -> Beginning {
        guard let method = methods[name] else { throw methods.notFound(name) }
        let refusal = permissions.refusal(of: method.permission, to: session.peer) { session.peerGroups }
        if let refusal { throw refusal }
        let root: JSONCursor
        do throws(JSONError) {
            root = try JSONDocument(params, limits: .wire).root
        } catch {
            throw SearchError(.internal, "the parameters could not be written")
        }
        let call = Call(
            params: root,
            session: session,
            methods: methods,
            permissions: permissions,
            receivedAt: receivedAt,
            agent: request
        )
        return try method.begin(call)
    }

    /// The same, with another answer made of what the method answers.
    ///
    /// - Parameters:
    ///   - name: The method.
    ///   - params: Its parameters, a JSON object.
    ///   - request: What the agent has asked for.
    ///   - notFound: The error when the method finds nothing.
    ///   - answer: Makes the answer.
    /// - Returns: How that goes on.
    func begin(
        _ name: MethodName,
        _ params: [UInt8],
        for request: AgentRequest,
        refusing notFound: AgentError? = nil,
        _ answer: @escaping @Sendable (JSONCursor) -> AgentResult
    ) -> Beginning {
        @Sendable func refusal(_ error: SearchError) -> Reply {
            .refusal(notFound.flatMap { error.kind == .notFound ? $0 : nil } ?? AgentError(error))
        }
        do throws(SearchError) {
            return try begin(name.rawValue, params, for: request).mapped { reply in
                if case .failure(let error) = reply { return refusal(error) }
                guard case .result(let bytes) = reply, let root = try? JSONDocument(bytes).root else { return reply }
                return .result(answer(root).bytes(in: request.revision))
            }
        } catch {
            return .answered(refusal(error))
        }
    }
}

extension Beginning {
    /// The same with another answer; it is not kept for later callers.
    fileprivate func mapped(_ change: @escaping @Sendable (Reply) -> Reply) -> Beginning {
        switch self {
        case .answered(let reply), .superseding(let reply, channel: _), .repeatable(let reply, _):
            return .answered(change(reply))
        case .running(channel: _, streams: _, let memory, let work):
            return .running(channel: nil, memory: memory) { stream in
                do throws(SearchError) {
                    return change(try await work(stream))
                } catch {
                    return change(.failure(error))
                }
            }
        }
    }
}
