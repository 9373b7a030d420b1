import JSON
import RPC
import SearchModel

/// The prompts that clients can offer to the user; each prompt uses one tool and takes a query.
enum Prompts {
    private static let tools = Tool.all.filter { $0.about.prompt != nil }

    static let names = tools.map(\.about.name)

    static let list = AgentResult(
        [
            "prompts": .array(
                tools.map { tool in
                    let query = tool.arguments.first { $0.member == .query }
                    return [
                        "name": .string(tool.about.name), "title": .string(tool.about.title),
                        "description": .string(tool.about.useWhen),
                        "arguments": [["name": "query", "description": .string(query?.about ?? ""), "required": true]],
                    ]
                }
            )
        ],
        isPublic: true
    )

    static func prompt(_ params: JSONCursor?) throws(AgentError) -> AgentResult {
        let name = params?["name"]?.string ?? ""
        guard let tool = tools.first(where: { $0.about.name.hasSameBytes(as: name) }), let prompt = tool.about.prompt
        else {
            throw .invalidParams("params.name", "unknown prompt", hint: "Prompts: \(names.joined(separator: ", ")).")
        }
        guard let query = params?["arguments"]?[.query]?.string, SearchQuery(query) != nil else {
            let size = "1 to \(SearchQuery.bytesMax) bytes of text"
            throw .invalidParams("params.arguments.query", "must be \(size)", hint: "Give \(size).")
        }
        let parts = prompt.split(separator: AgentTool.queryMark, maxSplits: 1, omittingEmptySubsequences: false)
        let text = parts.joined(separator: AgentText.cleaned(query))
        return AgentResult([
            "description": .string(tool.about.title),
            "messages": [["role": "user", "content": ["type": "text", "text": .string(text)]]],
        ])
    }
}

/// Completes the query of a prompt, or the id of a saved item.
enum Completion: Sendable {
    case query(String)
    case item(String)

    /// The protocol allows no more values.
    private static let valuesMax = 100

    init(_ params: JSONCursor?) throws(AgentError) {
        let (reference, argument) = (params?["ref"], params?["argument"])
        let target = [reference?["type"], reference?["name"] ?? reference?["uri"], argument?["name"]]
        let parts = target.map { ExactText($0?.string ?? "") }
        let value = argument?["value"]?.string ?? ""
        if parts == ["ref/resource", ExactText(LibraryResource.template), "id"] {
            self = .item(value)
        } else if Prompts.names.contains(where: { parts == ["ref/prompt", ExactText($0), "query"] }) {
            self = .query(value)
        } else {
            let hint = "See prompts/list and resources/templates/list."
            throw .invalidParams("params.ref", "unknown prompt, template or argument", hint: hint)
        }
    }

    var call: (MethodName, [UInt8]) {
        let limit = JSONMember(.limit, .number(JSONNumber(Self.valuesMax)))
        switch self {
        case .query(let prefix):
            return (.suggest, JSONValue.object([JSONMember(.prefix, .string(prefix)), limit]).bytes)
        case .item(let words):
            let query = JSONMember(.query, words.isEmpty ? .null : .string(words))
            return (.libraryList, JSONValue.object([query, limit]).bytes)
        }
    }

    func result(_ document: JSONValue) -> AgentResult {
        let found = (document[.suggestions] ?? document[.items])?.array ?? []
        let values = found.compactMap { entry -> JSONValue? in
            entry[.id] ?? entry[.text].flatMap { $0.string.map { .string(AgentText.cleaned($0)) } }
        }
        let total = document[.total]?.int ?? values.count
        return AgentResult([
            "completion": [
                "values": .array(Array(values.prefix(Self.valuesMax))), "total": .number(JSONNumber(total)),
                "hasMore": .bool(total > values.count),
            ]
        ])
    }
}
