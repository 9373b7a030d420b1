import JSON
package import SearchModel

/// The description of a method, for `rpc.discover` and the manual.
package struct MethodDescription: Sendable {
    package var name: String
    /// Sentences for its callers.
    package let summary: String
    package let parameters: [Schema.Field]
    /// The members of its result.
    package let result: [Schema.Field]
    /// The kinds of error it may answer beyond those of every request.
    package let errors: [SearchError.Kind]
    /// The tool that `searchctl mcp` makes of it; nil for none.
    package let tool: AgentTool?

    package init(
        _ method: MethodName,
        summary: String,
        parameters: [Schema.Field] = [],
        result: [Schema.Field],
        errors: [SearchError.Kind] = [],
        tool: AgentTool? = nil
    ) {
        name = method.rawValue
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.errors = errors
        self.tool = tool
    }
}

/// The description of a notification.
package struct NotificationDescription: Sendable {
    package let notification: NotificationName
    package let summary: String
    /// The members of its `params`.
    package let params: [Schema.Field]

    package init(_ notification: NotificationName, summary: String, params: [Schema.Field]) {
        self.notification = notification
        self.summary = summary
        self.params = params
    }

    package var name: String { notification.rawValue }
}

/// How `searchctl mcp` offers a method to agents, as a tool of the Model Context Protocol.
///
/// Its schemas are those of the method.
package struct AgentTool: Sendable {
    package let name: String
    package let title: String
    /// When to use it, and what that costs.
    package let useWhen: String
    /// Whether it may send requests to sources.
    package var asksSources = false
    /// Whether it leaves everything as it is.
    package var isReadOnly = true
    /// Whether calling it again with the same arguments changes nothing more.
    package var isIdempotent = true
    /// The parameters of the method that an agent may give.
    package var parameters: [Member] = []
    /// Parameters that only the tool has.
    package var ownParameters: [Schema.Field] = []
    /// Members of the result that an agent does not need, at any depth.
    package var leavesOut: [Member] = []
    /// Members that only the result of the tool has.
    package var ownResult: [Schema.Field] = []
    /// The list in the result that is cut if it is too long; its method takes limit and cursor.
    package var list: Member?
    /// Fixed parameters; agents are not users who type.
    package var fixed: [Flag] = []
    /// The prompt offered for this tool, with `QUERY` where the query goes; nil for none.
    package var prompt: String?

    /// A parameter that is true or false.
    package struct Flag: Sendable {
        package let member: Member
        package let value: Bool
    }

    /// The placeholder for the query in a prompt.
    package static let queryMark = "QUERY"

    package static let maxBytesRange = 1000...1_000_000
    package static let maxBytesDefault = 24_000

    static let maxBytes = Schema.Field.optional(
        .maxBytes,
        .integer(maxBytesRange),
        "The longest answer. The rest is left out, and follows with next.",
        default: .number(JSONNumber(maxBytesDefault))
    )
    static let leftOut = Schema.Field.optional(.leftOut, .count)
}
