/// A JSON value as a tree, for what is not hot: configuration, source files, extra fields, tests.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    /// In the order of the text; of a repeated name the last one counts.
    case object([JSONMember])
}

/// One name and its value in an object.
package struct JSONMember: Equatable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}
