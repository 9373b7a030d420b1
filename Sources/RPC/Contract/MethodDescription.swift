package import SearchModel

/// What a client may know of a method: the source of `rpc.discover` and of the manual, and nothing that serves it.
package struct MethodDescription: Sendable {
    package let name: String
    /// Sentences for its callers.
    package let summary: String
    package let parameters: [Schema.Field]
    /// The members of its result.
    package let result: [Schema.Field]
    /// The kinds of error it may answer beyond those of every request.
    package let errors: [SearchError.Kind]
    /// How agents call it; nil when it is not offered to them.
    package let tool: AgentTool?

    package init(
        _ name: String,
        summary: String,
        parameters: [Schema.Field] = [],
        result: [Schema.Field],
        errors: [SearchError.Kind] = [],
        tool: AgentTool? = nil
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.errors = errors
        self.tool = tool
    }

    init(
        _ method: MethodName,
        summary: String,
        parameters: [Schema.Field] = [],
        result: [Schema.Field],
        errors: [SearchError.Kind] = [],
        tool: AgentTool? = nil
    ) {
        self.init(
            method.rawValue,
            summary: summary,
            parameters: parameters,
            result: result,
            errors: errors,
            tool: tool
        )
    }
}

/// What a client may know of a notification.
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
