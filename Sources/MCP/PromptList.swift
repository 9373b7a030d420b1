package import JSON
package import RPC
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

/// A `completion/complete`, read: what completes the value, and how its answer is written.
package enum Completion: Sendable {
    /// A query: by `search/suggest`.
    case query(String)
    /// The id of a saved item, by words of it: by `library/list`.
    case item(String)

    /// As many values as the protocol allows.
    private static let valuesMax = 100

    package init(_ params: JSONCursor?, _ prompts: PromptList) throws(AgentError) {
        let reference = params?["ref"]
        guard let value = params?["argument"]?["value"]?.string, value.utf8.count <= SearchQuery.bytesMax else {
            throw .invalidParams(
                "params.argument",
                "its value is missing or longer than \(SearchQuery.bytesMax) bytes",
                hint: "Give the name of the argument and the value so far."
            )
        }
        let (argument, kind) = (params?["argument"]?["name"]?.string ?? "", reference?["type"]?.string ?? "")
        let name = reference?["name"]?.string ?? ""
        let uri = reference?["uri"]?.string ?? ""
        switch ExactText(kind) {
        case "ref/prompt" where prompts.has(name) && argument.hasSameBytes(as: Member.query.description):
            self = .query(value)
        case "ref/resource" where uri.hasSameBytes(as: LibraryResource.template) && argument.hasSameBytes(as: "id"):
            self = .item(value)
        default:
            throw .invalidParams(
                "params.ref",
                "there is no such prompt or template, or it has no such argument",
                hint: "prompts/list and resources/templates/list have them."
            )
        }
    }

    package var method: MethodName {
        switch self {
        case .query: .suggest
        case .item: .libraryList
        }
    }

    /// The parameters of the method.
    package var params: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch self {
            case .query(let prefix): writer.member(.prefix, prefix)
            case .item(let words): if !words.isEmpty { writer.member(.query, words) }
            }
            writer.member(.limit, Self.valuesMax)
        }
        return writer.bytes
    }

    /// The answer, from that of the method.
    package func result(_ document: JSONCursor) -> AgentResult {
        let values =
            switch self {
            case .query: document[.suggestions]?.elements.compactMap { $0[.text]?.string }.map(AgentText.cleaned)
            case .item: document[.items]?.elements.compactMap { $0[.id]?.string }
            }
        let total = document[.total]?.int ?? values?.count ?? 0
        let completion: JSONValue = [
            "values": .array((values ?? []).prefix(Self.valuesMax).map(JSONValue.string)),
            "total": .number(JSONNumber(total)), "hasMore": .bool(total > values?.count ?? 0),
        ]
        return AgentResult([JSONMember("completion", completion)])
    }
}
