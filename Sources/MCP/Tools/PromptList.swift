package import JSON
import RPC
import SearchModel

/// The prompts: what tools suggest to ask a model for, each with the query as its argument.
package struct PromptList: Sendable {
    private static let keepMilliseconds = 3_600_000

    private let entries: [(tool: AgentTool, prompt: String, query: Schema.Field)]

    package init(_ tools: ToolList) {
        entries = tools.entries.compactMap { entry in
            guard let prompt = entry.tool.prompt,
                let query = entry.method.parameters.first(where: { $0.member == .query })
            else { return nil }
            return (entry.tool, prompt, query)
        }
    }

    package var result: AgentResult {
        let prompts = entries.map { entry -> JSONValue in
            [
                "name": .string(entry.tool.name), "title": .string(entry.tool.title),
                "description": .string(entry.tool.useWhen),
                "arguments": [
                    [
                        "name": .string(Member.query.description), "description": .string(entry.query.about),
                        "required": true,
                    ]
                ],
            ]
        }
        return AgentResult(
            [JSONMember("prompts", .array(prompts))],
            caching: .anyone(milliseconds: Self.keepMilliseconds)
        )
    }

    /// The answer of `prompts/get`.
    package func prompt(_ params: JSONCursor?) throws(AgentError) -> AgentResult {
        guard let name = params?["name"]?.string,
            let entry = entries.first(where: { $0.tool.name.hasSameBytes(as: name) })
        else {
            throw .invalidParams("params.name", "there is no such prompt", hint: "prompts/list has the prompts.")
        }
        let path = "params.arguments.\(Member.query)"
        guard let query = params?["arguments"]?[.query]?.string, SearchQuery(query) != nil else {
            throw .invalidParams(
                path,
                "the query is missing, empty, or longer than \(SearchQuery.bytesMax) bytes",
                hint: "Give 1 to \(SearchQuery.bytesMax) bytes of text."
            )
        }
        let parts = entry.prompt.split(separator: AgentTool.queryMark, maxSplits: 1, omittingEmptySubsequences: false)
        let text = parts.joined(separator: AgentText.cleaned(query))
        return AgentResult([
            JSONMember("description", .string(entry.tool.title)),
            JSONMember("messages", [["role": "user", "content": ["type": "text", "text": .string(text)]]]),
        ])
    }

    /// Whether there is a prompt of a name that takes a query.
    func has(_ name: String) -> Bool { entries.contains { $0.tool.name.hasSameBytes(as: name) } }
}
