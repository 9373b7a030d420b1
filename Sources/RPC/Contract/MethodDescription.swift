import JSON
package import SearchModel

/// The description of a method, for `rpc.discover` and the manual.
package struct MethodDescription: Sendable {
    package var name: String
    /// Describes the method to its callers, in one or more sentences.
    package let summary: String
    package let parameters: [Schema.Field]
    /// The members of its result.
    package let result: [Schema.Field]
    /// The kinds of error with which it may fail, in addition to those of every request.
    package let errors: [SearchError.Kind]
    /// The tool for agents; nil if agents cannot call the method.
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

/// A method as a tool of the Model Context Protocol, for `searchctl mcp`.
///
/// Its schemas are derived from those of the method.
package struct AgentTool: Sendable {
    package let name: String
    package let title: String
    /// When to use the tool, and what a call costs.
    package let useWhen: String
    /// Whether it may send requests to sources.
    package var asksSources = false
    /// Whether it only reads data.
    package var isReadOnly = true
    /// Whether a second call with the same arguments has no further effect.
    package var isIdempotent = true
    /// The parameters of the method that an agent can set.
    package var parameters: [Member] = []
    /// Parameters that only the tool has.
    package var ownParameters: [Schema.Field] = []
    /// Members that are removed from the result at any depth, because agents do not need them.
    package var leavesOut: [Member] = []
    /// Members that only the result of the tool has.
    package var ownResult: [Schema.Field] = []
    /// The list in the result that is shortened if the answer is too long; its method has limit and cursor.
    package var list: Member?
    /// Parameters that an agent cannot set; the tool always sends these values.
    package var fixed: [Flag] = []
    /// A prompt that uses this tool, with `QUERY` as a placeholder for the query; nil if it is missing.
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
        "The maximum size of the answer. Omitted entries can be read with the cursor in next.",
        default: .number(JSONNumber(maxBytesDefault))
    )
    static let leftOut = Schema.Field.optional(.leftOut, .count, "The number of omitted entries.")
}
