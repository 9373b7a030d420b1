package import JSON
import SearchModel

/// A value in a source file, with methods that check and convert it.
package struct Declared {
    package let node: JSON5Node
    let mistakes: Mistakes
    /// The path of the value, such as `hit.title`; empty for the whole file.
    package let key: String

    package init(_ node: JSON5Node, _ mistakes: Mistakes, key: String = "") {
        self.node = node
        self.mistakes = mistakes
        self.key = key
    }

    package var file: String { mistakes.file }

    package func error(_ message: String, hint: String? = nil) -> CatalogueError {
        CatalogueError(file: file, line: node.line, column: node.column, key: key, message: message, hint: hint)
    }

    func member(_ name: String) -> Declared? {
        node[name].map { inner($0, name) }
    }

    private func inner(_ node: JSON5Node, _ name: String) -> Declared {
        Declared(node, mistakes, key: key.isEmpty ? name : "\(key).\(name)")
    }

    private func wrong(_ expected: String) -> CatalogueError {
        error("is \(Self.name(of: node.kind))", hint: "It must be \(expected).")
    }

    package func string(_ expected: @autoclosure () -> String = "a text") throws(CatalogueError) -> String {
        guard let string = node.string else { throw wrong(expected()) }
        guard !string.isEmpty else { throw error("is empty", hint: "It must be \(expected()).") }
        return string
    }

    package func anyString() throws(CatalogueError) -> String {
        guard let string = node.string else { throw wrong("a text") }
        return string
    }

    package func integer(in range: ClosedRange<Int>) throws(CatalogueError) -> Int {
        try number(node.int, in: range, "a whole number")
    }

    package func double(in range: ClosedRange<Double>) throws(CatalogueError) -> Double {
        try number(node.double, in: range, "a number")
    }

    private func number<Number>(
        _ number: Number?,
        in range: ClosedRange<Number>,
        _ kind: String
    ) throws(CatalogueError) -> Number {
        if let number, range.contains(number) { return number }
        let expected = "\(kind) from \(range.lowerBound) to \(range.upperBound)"
        guard let number else { throw wrong(expected) }
        throw error("\(number) is out of range", hint: "It must be \(expected).")
    }

    package func bool() throws(CatalogueError) -> Bool {
        guard let bool = node.bool else { throw wrong("true or false") }
        return bool
    }

    package func list() throws(CatalogueError) -> [Declared] {
        guard let elements = node.array else { throw wrong("a list") }
        return elements.enumerated().map { Declared($1, mistakes, key: "\(key)[\($0)]") }
    }

    package func oneOrMore() throws(CatalogueError) -> [Declared] {
        guard node.array != nil else { return [self] }
        let elements = try list()
        guard !elements.isEmpty else { throw error("is an empty list", hint: "It must have an element.") }
        return elements
    }

    /// Reads a list of a lower and an upper limit.
    func pair<Number: Comparable>(
        _ read: (Declared) throws(CatalogueError) -> Number
    ) throws(CatalogueError) -> ClosedRange<Number> {
        let limits = try list().map(read)
        guard limits.count == 2, limits[0] <= limits[1] else {
            throw error("is not a range", hint: "Write [smallest, largest].")
        }
        return limits[0]...limits[1]
    }

    package func strings() throws(CatalogueError) -> [String] {
        try oneOrMore().map { element throws(CatalogueError) in try element.string() }
    }

    package func members() throws(CatalogueError) -> [(name: String, value: Declared)] {
        guard let members = node.members else { throw wrong("an object") }
        return members.map { ($0.name, inner($0.node, $0.name)) }
    }

    /// Throws if a member's name is not in `names`.
    package func object(_ names: [String]) throws(CatalogueError) -> DeclaredObject {
        let object = try DeclaredObject(self, names)
        if let first = object.unknown.first { throw first.error }
        return object
    }

    /// Records a mistake for each member whose name is not in `names`.
    func fields(_ names: [String]) throws(CatalogueError) -> DeclaredObject {
        let object = try DeclaredObject(self, names)
        for (_, error) in object.unknown { mistakes.note(error) }
        return object
    }

    package func word<Value>(_ words: [(String, Value)]) throws(CatalogueError) -> Value {
        let text = try string("one of \(words.map(\.0).joined(separator: ", "))")
        if let found = words.first(where: { $0.0 == text }) { return found.1 }
        let hint = NearestName.hint(for: text, among: words.map(\.0))
        throw error("\u{201C}\(text)\u{201D} is not known here", hint: hint)
    }

    package func word<Value: CaseIterable & RawRepresentable<String>>() throws(CatalogueError) -> Value {
        if let text = node.string, let value = Value(rawValue: text) { return value }
        return try word(Value.allCases.map { ($0.rawValue, $0) })
    }

    /// For example, `example` is “a kind such as blog” and `name` is “kind”.
    func parsed<Value>(
        _ example: String,
        as name: String,
        hint: @autoclosure () -> String,
        _ parse: (String) -> Value?
    ) throws(CatalogueError) -> Value {
        let text = try string(example)
        if let value = parse(text) { return value }
        throw error("\u{201C}\(text)\u{201D} is not a valid \(name)", hint: hint())
    }

    package func duration() throws(CatalogueError) -> Duration {
        let hint = "Write 500ms, 30s, 10m, 6h or 7d."
        return try parsed("a duration such as 30s, 10m or 7d", as: "duration", hint: hint) { DurationText.duration($0) }
    }

    /// Returns minutes east of UTC.
    func zone() throws(CatalogueError) -> Int {
        try parsed("a zone such as +09:00", as: "zone", hint: "Write it as +09:00, -05:00 or Z.") { text in
            if text == "Z" { return 0 }
            guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
            return Self.minutes(text.dropFirst(), hoursMax: 14).map { sign == "-" ? -$0 : $0 }
        }
    }

    func minuteOfDay() throws(CatalogueError) -> Int {
        try parsed("a time such as 00:00", as: "time", hint: "Write it as 00:00.") { text in
            Self.minutes(text[...], hoursMax: 23)
        }
    }

    private static func minutes(_ text: Substring, hoursMax: Int) -> Int? {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let hours = Int(parts[0]), let minutes = Int(parts[1]), (0...hoursMax).contains(hours),
            (0...59).contains(minutes)
        else { return nil }
        return hours * 60 + minutes
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

    /// If the value cannot be read, records the mistake and returns nil.
    func part<Value>(_ read: @autoclosure () throws(CatalogueError) -> Value?) -> Value? {
        do throws(CatalogueError) {
            return try read()
        } catch {
            mistakes.note(error)
            return nil
        }
    }

    /// Omits elements that cannot be read, and records their mistakes.
    func each<Value>(_ read: (Declared) throws(CatalogueError) -> Value) -> [Value] {
        all(part(try list()), read)
    }

    func oneOrMore<Value>(_ read: (Declared) throws(CatalogueError) -> Value) -> [Value] {
        all(part(try oneOrMore()), read)
    }

    func each<Value>(_ read: (String, Declared) throws(CatalogueError) -> Value) -> [Value] {
        all(part(try members())) { member throws(CatalogueError) in try read(member.name, member.value) }
    }

    private func all<Element, Value>(
        _ elements: [Element]?,
        _ read: (Element) throws(CatalogueError) -> Value
    ) -> [Value] {
        var values: [Value] = []
        for element in elements ?? [] {
            if let value = part(try read(element)) { values.append(value) }
        }
        return values
    }

    func note(_ message: String, hint: String? = nil) {
        mistakes.note(error(message, hint: hint))
    }

    var spoiled: CatalogueError {
        mistakes.all.last ?? error("can't be read")
    }
}

package struct DeclaredObject {
    package let declared: Declared
    package let members: [(name: String, value: Declared)]
    private let names: [String]
    /// The members whose names are not in `names`.
    fileprivate let unknown: [(name: String, error: CatalogueError)]

    fileprivate init(_ declared: Declared, _ names: [String]) throws(CatalogueError) {
        self.declared = declared
        self.names = names
        members = try declared.members()
        unknown = members.filter { !names.contains($0.name) }.map { name, value in
            (name, value.error("is not known here", hint: NearestName.hint(for: name, among: names)))
        }
    }

    package subscript(name: String) -> Declared? {
        members.firstIndex { $0.name == name }.map { members[$0].value }
    }

    package func required(_ name: String) throws(CatalogueError) -> Declared {
        if let value = self[name] { return value }
        // A misspelled name must not cause a second mistake.
        let misspelled = unknown.last { NearestName.of($0.name, among: names) == name }
        throw misspelled?.error ?? declared.error("has no \(name)", hint: "\(name) is needed here.")
    }
}

/// A file that is read, and all mistakes in it; a file with a mistake is rejected.
package final class Mistakes {
    static let countMax = 100

    let file: String
    let trust: Trust
    private(set) var all: [CatalogueError] = []
    var placeholders: [(variable: Template.Variable, template: Declared)] = []

    package init(in file: String, trust: Trust = .user) {
        self.file = file
        self.trust = trust
    }

    func note(_ error: CatalogueError) {
        if all.count < Self.countMax, !all.contains(error) { all.append(error) }
    }

    var sorted: [CatalogueError] {
        all.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }
}
