/// The requests of the Model Context Protocol that are answered.
package enum AgentMethodName: String, CaseIterable, Sendable {
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

    /// Whether a client must have said which revision it speaks before it sends one.
    var needsRevision: Bool { self != .initialize && self != .ping }
}
