import JSON
package import SearchModel

/// The description of a method, for `rpc.discover` and the manual.
package struct MethodDescription: Sendable {
    package var name: String
    package let summary: String
    package let parameters: [Schema.Field]
    package let result: [Schema.Field]
    /// The possible errors, in addition to `ErrorCode.ofEveryRequest`.
    package let errors: [SearchError.Kind]
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

/// A method as a tool of the Model Context Protocol.
///
/// The schemas of the tool are made from those of the method.
package struct AgentTool: Sendable {
    package let name: String
    package let title: String
    package let useWhen: String
    package var asksSources = false
    package var isReadOnly = true
    package var isIdempotent = true
    package var parameters: [Member] = []
    package var ownParameters: [Schema.Field] = []
    /// Members that are removed from the result at any depth, because agents do not need them.
    package var leavesOut: [Member] = []
    package var ownResult: [Schema.Field] = []
    /// The list that is shortened if the answer is too long.
    ///
    /// The method must have `limit` and `cursor`.
    package var list: Member?
    /// The tool always sends these values, and an agent cannot change them.
    package var fixed: [Flag] = []
    /// The text of the prompt for this tool.
    ///
    /// `QUERY` is a placeholder for the query.
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
        "The maximum size of the answer. The cursor in “next” leads to omitted entries.",
        default: .number(JSONNumber(maxBytesDefault))
    )
    static let leftOut = Schema.Field.optional(.leftOut, .count, "The number of omitted entries.")
}
