import Engine
import EventLoop
import JSON
import MCP
import RPC
import SearchModel

/// The requests of the Model Context Protocol, put together.
enum AgentMethods {
    /// - Parameters:
    ///   - methods: Those of the daemon, of which some are tools.
    ///   - quotas: What is left of the quotas of sources; called on the loop.
    ///   - mark: Draws the mark of a quotation.
    /// - Returns: Them, for the table of methods.
    static func all(
        of methods: [any Method],
        quotas: @escaping @Sendable () -> [QuotaNote],
        mark: @escaping @Sendable () -> UInt32
    ) -> [any Method] {
        let tools = ToolList(methods.map(\.description))
        let prompts = PromptList(tools)
        let served: [any AgentMethod] = [
            InitializeMethod(), DiscoverAgentsMethod(), AgentPingMethod(),
            ListToolsMethod(tools: tools, quotas: quotas),
            CallToolMethod(tools: tools, mark: mark), ListResourcesMethod(), ListResourceTemplatesMethod(),
            ReadResourceMethod(mark: mark), ListPromptsMethod(prompts: prompts), GetPromptMethod(prompts: prompts),
            CompleteMethod(prompts: prompts),
        ]
        return served.map(ServedAgentMethod.init)
    }
}

/// What is left of every quota, each once, in the order of the sources.
extension QuotaNote {
    static func all(of standings: [SourceStanding]) -> [QuotaNote] {
        var notes: [QuotaNote] = []
        for quota in standings.flatMap(\.quotas) {
            let note = QuotaNote(name: quota.name, left: quota.left, limit: quota.limit, resetsAt: quota.resetsAt.text)
            if !notes.contains(note) { notes.append(note) }
        }
        return notes
    }
}
