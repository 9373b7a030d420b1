import JSON

/// The rule for a field of a hit; the first alternative that has a value is used.
struct Rule: Sendable {
    let alternatives: [Alternative]

    final class Alternative: Sendable {
        let paths: [FieldPath]
        /// Used if there are no paths.
        let constant: MappedValue?
        let steps: [Step]

        fileprivate init(_ declared: Declared, in names: inout NameTree) throws(CatalogueError) {
            let isPath = declared.node.string != nil
            let object = isPath ? nil : try declared.fields(["from", "do", "constant"])
            steps = object?["do"]?.oneOrMore(Step.init) ?? []
            if let constant = object?["constant"] {
                guard object?["from"] == nil else {
                    let hint = "Use only one of them, or a list of alternatives."
                    throw constant.error("conflicts with “from”", hint: hint)
                }
                (paths, self.constant) = ([], Self.constant(constant.node.plain))
                return
            }
            paths = (try object?.required("from") ?? declared).oneOrMore { (declared) throws(CatalogueError) in
                try FieldPath(declared).added(to: &names)
            }
            constant = nil
        }

        private static func constant(_ constant: JSONValue) -> MappedValue? {
            let values = (constant.array ?? [constant]).compactMap(scalar)
            return constant.array == nil || values.isEmpty ? values.last : .list(values)
        }

        private static func scalar(_ value: JSONValue) -> MappedValue? {
            switch value {
            case .string(let text): .text(text)
            case .number(let number): .number(number)
            case .bool(let bool): .bool(bool)
            case .array, .null, .object: nil
            }
        }
    }

    /// Reads a path, `{from: "path", do: […]}`, `{constant: …}`, or a list of these.
    init(_ declared: Declared, in names: inout NameTree) {
        alternatives = declared.oneOrMore { (declared) throws(CatalogueError) in try Alternative(declared, in: &names) }
    }
}

struct HitShape: Sendable {
    let key: Rule?
    let snippet: Rule?
    let url: Rule?
    let author: Rule?
    let published: Rule?
    let thumbnail: Rule?
    let extra: [Extra]
    let title: Rule
    let names: NameTree

    struct Extra: Sendable {
        let name: String
        let rule: Rule
        /// The name as it is written in JSON, with the colon.
        let written: [UInt8]
    }

    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields([
            "key", "title", "snippet", "url", "author", "published", "thumbnail", "extra",
        ])
        var names = NameTree()
        func rule(_ name: String) -> Rule? { object[name].map(read) }
        func read(_ declared: Declared) -> Rule { Rule(declared, in: &names) }
        key = rule("key")
        snippet = rule("snippet")
        url = rule("url")
        author = rule("author")
        published = rule("published")
        thumbnail = rule("thumbnail")
        let extra = object["extra"]?.each { name, declared in
            Extra(name: name, rule: read(declared), written: JSONValue.string(name).bytes + ":".utf8)
        }
        self.extra = extra ?? []
        // The title is last, because a missing title throws and later mistakes would not be recorded.
        title = read(try object.required("title"))
        self.names = names
    }
}
