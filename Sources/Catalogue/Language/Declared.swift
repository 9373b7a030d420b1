package import JSON
import SearchModel

/// A value in a source file with its location, and methods that check it.
package struct Declared {
    package let node: JSON5Node
    package let file: String
    /// Its path in the file; empty for the whole file.
    package let key: String
    /// Shared by all values of the file.
    let mistakes: Mistakes

    package init(node: JSON5Node, file: String, key: String) {
        self.init(node: node, file: file, key: key, mistakes: Mistakes())
    }

    init(node: JSON5Node, file: String, key: String, mistakes: Mistakes) {
        self.node = node
        self.file = file
        self.key = key
        self.mistakes = mistakes
    }

    package func error(_ message: String, hint: String? = nil) -> CatalogueError {
        CatalogueError(file: file, line: node.line, column: node.column, key: key, message: message, hint: hint)
    }

    /// Returns an element or member of this value.
    private func child(_ node: JSON5Node, _ key: String) -> Declared {
        Declared(node: node, file: file, key: key, mistakes: mistakes)
    }

    private func wrong(_ expected: String) -> CatalogueError {
        error("is \(Self.name(of: node.kind))", hint: "It must be \(expected).")
    }

    package func string(_ expected: String = "a text") throws(CatalogueError) -> String {
        guard let string = node.string else { throw wrong(expected) }
        guard !string.isEmpty else { throw error("is empty", hint: "It must be \(expected).") }
        return string
    }

    /// Reads a string, which may be empty.
    package func anyString() throws(CatalogueError) -> String {
        guard let string = node.string else { throw wrong("a text") }
        return string
    }

    package func integer(in range: ClosedRange<Int>) throws(CatalogueError) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = node.int else { throw wrong(expected) }
        guard range.contains(number) else { throw error("\(number) is out of range", hint: "It must be \(expected).") }
        return number
    }

    package func double(in range: ClosedRange<Double>) throws(CatalogueError) -> Double {
        let expected = "a number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = node.double else { throw wrong(expected) }
        guard range.contains(number) else { throw error("\(number) is out of range", hint: "It must be \(expected).") }
        return number
    }

    package func bool() throws(CatalogueError) -> Bool {
        guard let bool = node.bool else { throw wrong("true or false") }
        return bool
    }

    package func list() throws(CatalogueError) -> [Declared] {
        guard let elements = node.array else { throw wrong("a list") }
        return elements.enumerated().map { child($1, "\(key)[\($0)]") }
    }

    /// Returns the elements of a list, or a single value as a list of one.
    package func oneOrMore() throws(CatalogueError) -> [Declared] {
        guard node.array != nil else { return [self] }
        let elements = try list()
        guard !elements.isEmpty else { throw error("is an empty list", hint: "It must have an element.") }
        return elements
    }

    package func strings() throws(CatalogueError) -> [String] {
        var strings: [String] = []
        for element in try oneOrMore() { strings.append(try element.string()) }
        return strings
    }

    /// Returns the members in file order.
    package func members() throws(CatalogueError) -> [(name: String, value: Declared)] {
        guard let members = node.members else { throw wrong("an object") }
        return members.map { ($0.name, child($0.node, key.isEmpty ? $0.name : "\(key).\($0.name)")) }
    }

    /// Reads an object that may have only these member names.
    package func object(_ names: [String]) throws(CatalogueError) -> DeclaredObject {
        let members = try members()
        for (name, value) in members where !names.contains(name) {
            throw value.error("is not known here", hint: NearestName.hint(for: name, among: names))
        }
        return DeclaredObject(declared: self, members: members, misspelt: [:])
    }

    /// Reads one of a set of words.
    package func word<Value>(_ words: [(String, Value)]) throws(CatalogueError) -> Value {
        let names = words.map(\.0)
        let text = try string("one of \(names.joined(separator: ", "))")
        guard let found = words.first(where: { $0.0 == text }) else {
            throw error("\u{201C}\(text)\u{201D} is not known here", hint: NearestName.hint(for: text, among: names))
        }
        return found.1
    }

    private static func name(of kind: JSONKind) -> String {
        switch kind {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// An object in a source file whose member names have been checked.
package struct DeclaredObject {
    package let declared: Declared
    package let members: [(name: String, value: Declared)]
    /// The mistakes noted for unknown names, keyed by the name that was probably meant.
    let misspelt: [String: CatalogueError]

    package subscript(name: String) -> Declared? {
        members.first { $0.name == name }?.value
    }

    package func required(_ name: String) throws(CatalogueError) -> Declared {
        if let value = self[name] { return value }
        // Report each mistake only once.
        throw misspelt[name] ?? declared.error("has no \(name)", hint: "\(name) is needed here.")
    }
}
