package import SearchModel

/// What a client may know of a method: the source of `rpc.discover` and of the manual, and nothing that serves it.
package struct MethodDescription: Sendable {
    package let method: MethodName
    /// Sentences for whoever calls it.
    package let summary: String
    package let parameters: [Schema.Field]
    /// The members of its result.
    package let result: [Schema.Field]
    /// The kinds of error it may answer beyond those of every request.
    package let errors: [SearchError.Kind]

    package init(
        _ method: MethodName,
        summary: String,
        parameters: [Schema.Field] = [],
        result: [Schema.Field],
        errors: [SearchError.Kind] = []
    ) {
        self.method = method
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.errors = errors
    }

    package var name: String { method.rawValue }
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
}
