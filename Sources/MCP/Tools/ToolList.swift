import JSON
package import RPC

/// The tools: those methods of the daemon that are offered to agents.
package struct ToolList: Sendable {
    /// For how long a client may keep the list; the quotas in it change.
    private static let keepMilliseconds = 60_000

    package struct Entry: Sendable {
        package let method: MethodDescription
        package let tool: AgentTool
    }

    package let entries: [Entry]

    /// Of these methods, in their order.
    package init(_ methods: [MethodDescription]) {
        entries = methods.compactMap { method in method.tool.map { Entry(method: method, tool: $0) } }
    }

    package subscript(name: String) -> Entry? {
        entries.first { $0.tool.name.hasSameBytes(as: name) }
    }

    /// The answer of `tools/list`.
    package func result(_ quotas: [QuotaNote], in revision: Revision) -> AgentResult {
        AgentResult(
            [JSONMember("tools", .array(entries.map { $0.method.listed(as: $0.tool, quotas, in: revision) }))],
            caching: .anyone(milliseconds: Self.keepMilliseconds)
        )
    }
}
