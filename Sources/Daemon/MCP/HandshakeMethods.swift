import JSON
import MCP

/// A session of a revision that has them begins.
struct InitializeMethod: AgentMethod {
    let name = AgentMethodName.initialize

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        let session = try AgentSession(call.params)
        call.session.begin(agent: session)
        return .answered(.result(Handshake.initialized(session).bytes(in: session.revision)))
    }
}

/// What the server speaks and offers, for clients without sessions.
struct DiscoverAgentsMethod: AgentMethod {
    let name = AgentMethodName.discover

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        .answered(.result(Handshake.discovered.bytes(in: request.revision)))
    }
}

/// Liveness.
struct AgentPingMethod: AgentMethod {
    let name = AgentMethodName.ping

    func begin(_ request: AgentRequest, _ call: Call) throws(AgentError) -> Beginning {
        .answered(.result(AgentResult([]).bytes(in: request.revision)))
    }
}
