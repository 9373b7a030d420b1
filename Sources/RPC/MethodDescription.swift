package import JSON

/// What a client may know of a method: the source of `rpc.discover`, and nothing that serves it.
package struct MethodDescription: Sendable {
    /// One named parameter, or one member of the result, with its JSON Schema.
    package struct Field: Sendable {
        package let name: String
        package let isRequired: Bool
        package let schema: JSONValue

        package init(_ name: String, required: Bool = false, _ schema: JSONValue) {
            self.name = name
            isRequired = required
            self.schema = schema
        }
    }

    package let name: String
    package let summary: String
    package let parameters: [Field]
    package let result: [Field]
    /// The kinds of error it may answer beyond those of every request.
    package let errors: [String]

    package init(
        _ name: String,
        summary: String,
        parameters: [Field] = [],
        result: [Field],
        errors: [String] = []
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.result = result
        self.errors = errors
    }
}
