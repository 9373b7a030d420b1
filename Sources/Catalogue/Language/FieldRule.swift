import JSON

/// How a field gets its value: the first alternative that has one.
struct FieldRule: Equatable, Sendable {
    /// One way to the value.
    struct Alternative: Equatable, Sendable {
        enum Origin: Equatable, Sendable {
            /// The values at these paths; several make a list.
            case paths([FieldPath])
            case constant(JSONValue)
        }

        let origin: Origin
        let steps: [Step]
    }

    let alternatives: [Alternative]

    /// Reads `"path"`, `{from: "path", do: […]}`, `{constant: …}`, or a list of them.
    init(_ declared: Declared) throws(CatalogueError) {
        alternatives = declared.all(try declared.oneOrMore(), Self.alternative)
    }

    private static func alternative(_ declared: Declared) throws(CatalogueError) -> Alternative {
        if declared.node.string != nil {
            return Alternative(origin: .paths([try FieldPath(declared)]), steps: [])
        }
        let object = try declared.fields(["from", "do", "constant"])
        let steps = declared.all(declared.optional(try object["do"]?.oneOrMore()), Step.init)
        if let constant = object["constant"] {
            guard object["from"] == nil else {
                throw constant.error("stands beside from", hint: "a rule has one origin; put alternatives in a list")
            }
            return Alternative(origin: .constant(constant.node.plain), steps: steps)
        }
        let paths = declared.all(try object.required("from").oneOrMore(), FieldPath.init)
        return Alternative(origin: .paths(paths), steps: steps)
    }
}
