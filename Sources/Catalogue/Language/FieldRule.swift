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
        var alternatives: [Alternative] = []
        for element in try declared.oneOrMore() { alternatives.append(try Self.alternative(element)) }
        self.alternatives = alternatives
    }

    private static func alternative(_ declared: Declared) throws(CatalogueError) -> Alternative {
        if declared.node.string != nil {
            return Alternative(origin: .paths([try FieldPath(declared)]), steps: [])
        }
        let object = try declared.object(["from", "do", "constant"])
        var steps: [Step] = []
        for step in try object["do"]?.oneOrMore() ?? [] { steps.append(try Step(step)) }
        if let constant = object["constant"] {
            guard object["from"] == nil else {
                throw constant.error("stands beside from", hint: "a rule has one origin; put alternatives in a list")
            }
            return Alternative(origin: .constant(constant.node.plain), steps: steps)
        }
        var paths: [FieldPath] = []
        for path in try object.required("from").oneOrMore() { paths.append(try FieldPath(path)) }
        return Alternative(origin: .paths(paths), steps: steps)
    }
}
