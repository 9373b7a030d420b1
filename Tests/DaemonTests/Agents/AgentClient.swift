import JSON
import Testing

/// An agent that names its revision in every request.
struct AgentClient {
    let client: TestClient
    var name = "test-agent"

    /// The members of `_meta` that every request has.
    var meta: String {
        #""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"#
            + #""io.modelcontextprotocol/clientInfo":{"name":"\#(name)","version":"1"}"#
    }

    /// Asks and does not wait.
    ///
    /// - Parameters:
    ///   - method: What is requested.
    ///   - members: Of its parameters, each with a comma behind it.
    ///   - token: For its progress, as JSON.
    /// - Returns: The id.
    /// - Throws: When the daemon does not take it.
    @discardableResult
    func ask(_ method: String, _ members: String = "", token: String? = nil) throws -> Int {
        let token = token.map { #","progressToken":\#($0)"# } ?? ""
        return try client.ask(method, "{\(members)\"_meta\":{\(meta)\(token)}}")
    }

    func request(_ method: String, _ members: String = "") throws -> JSONValue {
        try client.answer(to: ask(method, members))
    }

    /// The result of a request that must succeed.
    func result(_ method: String, _ members: String = "") throws -> JSONValue {
        let answer = try request(method, members)
        return try #require(answer["result"], "\(answer)")
    }

    /// The result of a tool.
    func tool(_ name: String, _ arguments: String = "{}") throws -> JSONValue {
        try result("tools/call", Self.call(name, arguments))
    }

    static func call(_ name: String, _ arguments: String) -> String {
        #""name":"\#(name)","arguments":\#(arguments),"#
    }
}

extension JSONValue {
    /// The structured content of a tool's result.
    var content: JSONValue? { self["structuredContent"] }

    /// The text of a tool's result, or of a resource.
    var text: String { (self["content"]?[0]?["text"] ?? self["contents"]?[0]?["text"])?.string ?? "" }
}
