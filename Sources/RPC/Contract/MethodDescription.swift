import JSON
package import SearchModel

/// The description of a method, for `rpc.discover` and the manual.
package struct MethodDescription: Sendable {
    package var name: String
    package let summary: String
    package let parameters: [Schema.Field]
    package let result: [Schema.Field]
    /// The possible errors of the method, in addition to `ErrorCode.ofEveryRequest`.
    package let errors: [SearchError.Kind]
    /// The tool that agents can call, or nil if they cannot call the method.
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

/// A method as a tool of the Model Context Protocol; the schemas of the tool are derived from the method's schemas.
package struct AgentTool: Sendable {
    package let name: String
    package let title: String
    /// When to use the tool, and what a call costs.
    package let useWhen: String
    package var asksSources = false
    package var isReadOnly = true
    package var isIdempotent = true
    /// The parameters of the method that an agent can set.
    package var parameters: [Member] = []
    /// The parameters that only the tool has.
    package var ownParameters: [Schema.Field] = []
    /// The members that are removed from the result at any depth, because agents do not need them.
    package var leavesOut: [Member] = []
    /// The members that only the result of the tool has.
    package var ownResult: [Schema.Field] = []
    /// The list in the result that is shortened if the answer is too long, for a method with `limit` and `cursor`.
    package var list: Member?
    /// The parameters that the tool always sends with these values, and that an agent cannot set.
    package var fixed: [Flag] = []
    /// A prompt that uses this tool, with `QUERY` as a placeholder for the query.
    package var prompt: String?

    package struct Flag: Sendable {
        package let member: Member
        package let value: Bool
    }

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
