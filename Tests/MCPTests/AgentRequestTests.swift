import JSON
import Testing

@testable import MCP

@Suite struct AgentRequestTests {
    private func request(
        _ meta: String,
        _ method: AgentMethodName = .callTool,
        in session: AgentSession? = nil
    ) throws -> AgentRequest {
        let text = "{\"_meta\":{\(meta.replacingOccurrences)}}"
        return try AgentRequest(try JSONDocument(Array(text.utf8)).root, of: method, in: session)
    }

    private func session(_ version: String, _ client: String = #""name":"c","version":"1""#) throws -> AgentSession {
        let text = #"{"protocolVersion":"\#(version)","capabilities":{},"clientInfo":{\#(client)}}"#
        return try AgentSession(try JSONDocument(Array(text.utf8)).root)
    }

    @Test func `a request that names its revision needs no session, and is served by itself within one`() throws {
        let meta =
            #""KEYprotocolVersion":"2026-07-28","KEYclientCapabilities":{},"KEYclientInfo":{"name":"n","version":"1"}"#
        for session in [nil, try session("2025-11-25")] {
            let request = try request(meta + #","progressToken":7"#, in: session)
            #expect(request.revision == .july2026)
            #expect(request.client == "n")
            #expect(request.progressToken == Array("7".utf8))
        }
    }

    @Test(arguments: [
        (#""KEYprotocolVersion":"2026-07-28""#, -32602), (#""KEYclientCapabilities":{}"#, -32602), ("", -32602),
        (#""KEYprotocolVersion":7,"KEYclientCapabilities":{}"#, -32602),
        (#""KEYprotocolVersion":"2026-07-28","KEYclientCapabilities":[]"#, -32602),
        (#""KEYprotocolVersion":"1900-01-01","KEYclientCapabilities":{}"#, -32022),
        (#""KEYprotocolVersion":"2025-11-25","KEYclientCapabilities":{}"#, -32022),
    ])
    func `what a stateless request lacks is refused`(_ meta: String, _ code: Int) {
        let error = #expect(throws: AgentError.self) { try request(meta) }
        #expect(error?.code == code)
    }

    @Test func `a session is of the revision that is asked for, or of the latest that has them`() throws {
        for revision in Revision.allCases where !revision.isStateless {
            #expect(try session(revision.rawValue).revision == revision)
        }
        for other in ["2026-07-28", "1900-01-01", "x", ""] { #expect(try session(other).revision == .november2025) }
        #expect(try request("", in: session("2025-03-26")).revision == .march2025)
        #expect(try session("2025-03-26", #""name":"","version":"1""#).client == nil)
        #expect(throws: AgentError.self) { try AgentSession(nil) }
    }

    @Test func `a progress token is a string or a number, as it was written`() throws {
        let session = try session("2025-11-25")
        for token in [#""a\u0062""#, "1.5", "-3"] {
            #expect(try request(#""progressToken":\#(token)"#, in: session).progressToken == Array(token.utf8))
        }
        for token in ["null", "{}", "true", "\"" + String(repeating: "a", count: 1024) + "\""] {
            #expect(try request(#""progressToken":\#(token)"#, in: session).progressToken == nil)
        }
    }

    @Test func `a ping needs neither`() throws {
        #expect(try request("", .ping).revision == .november2025)
    }
}

extension String {
    /// With the prefix of the protocol's own members written out.
    fileprivate var replacingOccurrences: String {
        split(separator: "KEY", omittingEmptySubsequences: false).joined(separator: "io.modelcontextprotocol/")
    }
}
