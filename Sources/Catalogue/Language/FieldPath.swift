import JSON

/// A path to values in a response, such as `volumeInfo.industryIdentifiers[type=ISBN_13].identifier`.
///
/// `["name"]` is a name with dots or brackets. `[0]` is the first element of a list, and `[-1]` the last. `[]` is all
/// elements, and `[name=text]` is the elements whose member `name` has that text. `.` is the element itself.
final class FieldPath: Equatable, Sendable {
    enum Part: Equatable, Sendable {
        case name([UInt8])
        case element(Int)
        case every
        case matching(name: String, text: String)

        var name: [UInt8]? { if case .name(let name) = self { name } else { nil } }
    }

    let text: String
    let parts: [Part]
    let isMany: Bool
    /// The node in a `NameTree` for the names at the start of the path.
    let node: Int?
    /// The offset of the first part after these names.
    private let rest: Int

    convenience init(_ declared: Declared) throws(CatalogueError) {
        try self.init(declared.string("a path such as meta.total_count"), at: declared)
    }

    convenience init(_ text: String, at declared: Declared, ofList: Bool = false) throws(CatalogueError) {
        guard let parts = Self.parts(of: text) else {
            let hint = Self.hint(for: text, ofList: ofList)
            throw declared.error("\u{201C}\(text)\u{201D} is not a valid path", hint: hint)
        }
        self.init(text, parts: parts)
    }

    func added(to tree: inout NameTree) -> FieldPath {
        let names = Self.names(of: parts)
        return FieldPath(text, parts: parts, node: tree.add(names), rest: names.count)
    }

    static func ofList(_ declared: Declared) throws(CatalogueError) -> FieldPath {
        let path = try FieldPath(declared.string("a path such as data.items"), at: declared, ofList: true)
        switch path.parts.last {
        case .every, .matching:
            throw declared.error("selects elements of the list", hint: hint(for: path.text, ofList: true))
        default: return path
        }
    }

    /// Translates a path from the syntax of JSONPath, jq, GJSON or JSON pointers, or else explains the rules.
    private static func hint(for text: String, ofList: Bool) -> String {
        var path = text[...]
        if path.hasPrefix("/") { path = path.dropFirst().replacing("/", with: ".")[...] }
        if path.hasPrefix("$") || path.hasPrefix(".") { path = path.drop { $0 == "$" || $0 == "." } }
        for every in ["[*]", ".*", ".#"] { path.replace(every, with: "[]") }
        if ofList, path.hasSuffix("]"), let bracket = path.lastIndex(of: "[") { path = path[..<bracket] }
        let correct = path.isEmpty ? "." : String(path)
        guard correct != text, parts(of: correct) != nil else {
            return
                "Join names by dots; [0], [-1], [] and [name=text] choose elements; write [\"a.b\"] for a name with a dot."
        }
        return "Write \u{201C}\(correct)\u{201D}" + (ofList ? ", the path of the list itself." : ".")
    }

    static func == (left: FieldPath, right: FieldPath) -> Bool { left.text == right.text }

    private static func parts(of text: String) -> [Part]? {
        if text == "." { return [] }
        var rest = Array(text.utf8)[...]
        guard rest.first != UInt8(ascii: "$"), rest.first != UInt8(ascii: "/") else { return nil }
        var parts: [Part] = []
        repeat {
            if rest.first == UInt8(ascii: "[") {
                let isName = rest.starts(with: "[\"".utf8)
                guard let end = rest.firstRange(of: Array(isName ? "\"]".utf8 : "]".utf8)) else { return nil }
                let inside = rest[..<end.lowerBound].dropFirst(isName ? 2 : 1)
                guard let part = isName ? .name(Array(inside)) : bracketed(inside) else { return nil }
                parts.append(part)
                rest = rest[end.upperBound...]
            } else {
                if !parts.isEmpty {
                    guard rest.first == UInt8(ascii: ".") else { return nil }
                    rest = rest.dropFirst()
                }
                let name = rest.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") }
                guard !name.isEmpty, name != [UInt8(ascii: "*")], name != [UInt8(ascii: "#")] else { return nil }
                parts.append(.name(Array(name)))
                rest = rest[name.endIndex...]
            }
        } while !rest.isEmpty
        return parts
    }

    private init(_ text: String, parts: [Part], node: Int? = nil, rest: Int = 0) {
        self.text = text
        self.parts = parts
        self.node = node
        self.rest = rest
        isMany = parts.contains { part in
            switch part {
            case .name, .element: false
            case .every, .matching: true
            }
        }
    }

    private static func names(of parts: [Part]) -> [[UInt8]] {
        parts.prefix { $0.name != nil }.compactMap(\.name)
    }

    var namesBeforeSelection: [String] { Self.names(of: parts).map { String(decoding: $0, as: UTF8.self) } }

    private static func bracketed(_ inside: ArraySlice<UInt8>) -> Part? {
        if inside.isEmpty { return .every }
        let text = String(decoding: inside, as: UTF8.self)
        if let index = Int(text) { return .element(index) }
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[0].isEmpty else { return nil }
        return .matching(name: String(sides[0]), text: String(sides[1]))
    }

    func first(from start: JSONCursor) -> JSONCursor? {
        let document = start.document
        return document.withView { first(from: start.index, of: $0) }.map { document.cursor(at: $0) }
    }

    func first(from start: Int, of document: JSONView) -> Int? {
        if rest == parts.count { return start }
        var found: Int?
        forEach(from: start, of: document) { found = found ?? $0 }
        return found
    }

    func forEach(from start: Int, of document: JSONView, _ body: (Int) -> Void) {
        forEach(rest, from: start, of: document, body)
    }

    private func forEach(_ offset: Int, from start: Int, of document: JSONView, _ body: (Int) -> Void) {
        guard offset < parts.count else { return body(start) }
        let next: Int?
        switch parts[offset] {
        case .name(let name): next = document.member(name.span, of: start)
        case .element(let number): next = document.element(number, of: start)
        case .every, .matching:
            document.forEachElement(of: start) { element in
                if matches(parts[offset], element, of: document) {
                    forEach(offset + 1, from: element, of: document, body)
                }
                return true
            }
            return
        }
        if let next { forEach(offset + 1, from: next, of: document, body) }
    }

    private func matches(_ part: Part, _ element: Int, of document: JSONView) -> Bool {
        guard case .matching(let name, let text) = part else { return true }
        return document.member(name.utf8.span, of: element).map { document.scalar(at: $0, is: text) } ?? false
    }
}

extension JSONView {
    func withScalarText<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result? {
        switch kind(at: index) {
        case .string, .number, .bool: withText(at: index, body)
        case .null, .array, .object: nil
        }
    }

    @inline(__always)
    func withText<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        guard hasEscapes(at: index) else { return withBytes(at: index, body) }
        var text: [UInt8] = []
        unescape(at: index, into: &text)
        return body(text.span)
    }

    func scalar(at index: Int, is text: String) -> Bool {
        withScalarText(at: index) { $0.hasSameBytes(as: text.utf8.span) } ?? false
    }
}

extension JSONCursor {
    var scalarText: String? {
        document.withView { $0.withScalarText(at: index) { String(validated: $0) } } ?? nil
    }

    func count(at path: FieldPath?) -> Int? {
        path?.first(from: self)?.scalarText.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
