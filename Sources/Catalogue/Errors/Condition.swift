import JSON

/// A test of the values at a path: at least one value must pass it; for `present(false)`, there must be no value.
struct Condition: Equatable, Sendable {
    enum Test: Equatable, Sendable {
        case equals(String)
        case prefix(String)
        case contains(String)
        case present(Bool)
    }

    let path: FieldPath
    let test: Test

    func holds(of root: JSONCursor) -> Bool {
        root.document.withView { view in
            var holds = false
            path.forEach(from: root.index, of: view) { holds = holds || isMet(at: $0, of: view) }
            return test == .present(false) ? !holds : holds
        }
    }

    var failure: String {
        switch test {
        case .present(true): "\(path.text) is missing"
        case .present(false): "\(path.text) is present"
        case .equals(let text): "\(path.text) is not \u{201C}\(text)\u{201D}"
        case .prefix(let text): "\(path.text) does not begin with \u{201C}\(text)\u{201D}"
        case .contains(let text): "\(path.text) does not contain \u{201C}\(text)\u{201D}"
        }
    }

    /// Reads a text, a number, a boolean, `{prefix: …}`, `{contains: …}` or `{present: …}`.
    init(_ name: String, _ declared: Declared) throws(CatalogueError) {
        path = try FieldPath(name, at: declared)
        switch declared.node.value {
        case .string(let text): test = .equals(text)
        case .number(let number): test = .equals(number.text)
        case .bool(let bool): test = .equals(bool ? "true" : "false")
        case .object:
            let object = try declared.object(["prefix", "contains", "present"])
            guard let (name, value) = object.members.first, object.members.count == 1 else {
                throw declared.error("must have one test", hint: "Write " + Self.tests)
            }
            switch name {
            case "prefix": test = .prefix(try value.string())
            case "contains": test = .contains(try value.string())
            default: test = .present(try value.bool())
            }
        case .null, .array: throw declared.error("is not a valid test", hint: "Write a value, " + Self.tests)
        }
    }

    private static let tests = "{prefix: \"…\"}, {contains: \"…\"} or {present: true}."

    /// For `present(false)`, returns whether the value is present; `holds(of:)` inverts the result.
    private func isMet(at index: Int, of document: JSONView) -> Bool {
        switch test {
        case .present: document.kind(at: index) != .null
        case .equals(let text): document.scalar(at: index, is: text)
        case .prefix(let text): document.withScalarText(at: index) { $0.begins(with: text.utf8.span) } ?? false
        case .contains(let text):
            document.withScalarText(at: index) { $0.index(of: text.utf8.span) != nil } ?? false
        }
    }
}
