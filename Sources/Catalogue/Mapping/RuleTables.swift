import JSON

/// The rules of a source in flat tables, so that applying one follows no references.
///
/// Ranges are of the tables here.
struct RuleTables: Sendable {
    /// How a field gets its value: the first alternative that has one.
    struct Rule: Sendable {
        let alternatives: Range<Int>
    }

    /// One way to the value.
    struct Alternative: Sendable {
        let origin: Origin
        let steps: Range<Int>
    }

    enum Origin: Sendable {
        case path(Path)
        /// What several paths lead to, as a list.
        case paths(Range<Int>)
        case constants(Range<Int>, isList: Bool)
    }

    struct Path: Sendable {
        /// The slot of a walked element at which it begins; nil for the element itself.
        let slot: Int?
        let rest: Range<Int>
        /// It may lead to several values.
        let isMany: Bool
    }

    /// A value that stands in the source's file.
    enum Constant: Sendable {
        case text(String)
        case number(JSONNumber)
        case bool(Bool)
    }

    private(set) var alternatives: [Alternative] = []
    private(set) var paths: [Path] = []
    private(set) var parts: [FieldPath.Part] = []
    private(set) var constants: [Constant] = []
    private(set) var steps: [Step] = []
    /// The texts of steps that have many.
    private(set) var texts: [Step.Text] = []
    /// The bytes of all texts, one after the other.
    private(set) var bytes: [UInt8] = []
    private(set) var tree = MemberTree()

    /// Reads `"path"`, `{from: "path", do: […]}`, `{constant: …}`, or a list of them.
    mutating func addRule(_ declared: Declared) throws(CatalogueError) -> Rule {
        let first = alternatives.count
        for one in try declared.oneOrMore() {
            if let alternative = one.part(try alternative(one)) { alternatives.append(alternative) }
        }
        return Rule(alternatives: first..<alternatives.count)
    }

    private mutating func alternative(_ declared: Declared) throws(CatalogueError) -> Alternative {
        if declared.node.string != nil {
            return Alternative(origin: .path(path(try FieldPath(declared))), steps: 0..<0)
        }
        let object = try declared.fields(["from", "do", "constant"])
        let firstStep = steps.count
        for one in declared.optional(try object["do"]?.oneOrMore()) ?? [] {
            if let step = one.part(try Step(one, &self)) { steps.append(step) }
        }
        let steps = firstStep..<self.steps.count
        if let constant = object["constant"] {
            guard object["from"] == nil else {
                throw constant.error("stands beside from", hint: "A rule has one origin; put alternatives in a list.")
            }
            let first = constants.count
            add(constant.node.plain)
            let isList = constant.node.array != nil
            return Alternative(origin: .constants(first..<constants.count, isList: isList), steps: steps)
        }
        let declaredPaths = declared.all(try object.required("from").oneOrMore(), FieldPath.init)
        let paths = declaredPaths.map { path($0) }
        if paths.count == 1 { return Alternative(origin: .path(paths[0]), steps: steps) }
        let first = self.paths.count
        self.paths += paths
        return Alternative(origin: .paths(first..<self.paths.count), steps: steps)
    }

    /// Adds a path that a step follows; its index.
    mutating func add(_ declared: FieldPath) -> Int {
        let path = path(declared)
        paths.append(path)
        return paths.count - 1
    }

    private mutating func path(_ declared: FieldPath) -> Path {
        let names = declared.leadingNames
        let rest = declared.parts.dropFirst(names.count)
        let isMany = rest.contains { part in
            switch part {
            case .name, .element: false
            case .every, .matching: true
            }
        }
        let first = parts.count
        parts += rest
        return Path(slot: names.isEmpty ? nil : tree.slot(of: names), rest: first..<parts.count, isMany: isMany)
    }

    /// Adds the scalars of a constant; lists in lists are flattened.
    private mutating func add(_ constant: JSONValue) {
        switch constant {
        case .string(let text): constants.append(.text(text))
        case .number(let number): constants.append(.number(number))
        case .bool(let bool): constants.append(.bool(bool))
        case .array(let elements):
            for element in elements { add(element) }
        case .null, .object: break
        }
    }

    mutating func add(_ text: String) -> Step.Text {
        let start = bytes.count
        bytes += text.utf8
        return start..<bytes.count
    }

    mutating func add(_ texts: [String]) -> Step.Texts {
        let start = self.texts.count
        for text in texts { self.texts.append(add(text)) }
        return start..<self.texts.count
    }

    /// The index of a text among some of the tables', of which only the first of every `stride` counts.
    func index(of text: Span<UInt8>, among range: Step.Texts, stride: Int) -> Int? {
        let bytes = bytes.span
        var index = range.lowerBound
        while index < range.upperBound {
            if text.isSame(as: bytes.extracting(texts[index])) { return index }
            index += stride
        }
        return nil
    }

    /// Makes the tables ready, when all rules have been added.
    mutating func seal() {
        tree.seal()
    }
}
