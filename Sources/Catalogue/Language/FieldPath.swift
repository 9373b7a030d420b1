import JSON

/// Where a value is in a source's document, as `volumeInfo.industryIdentifiers[type=ISBN_13].identifier`.
///
/// Names are joined by dots; `[0]` and `[-1]` take one element, `[]` every one, `[name=text]` those whose member has
/// that text. `.` is the element itself.
struct FieldPath: Equatable, Sendable {
    enum Part: Equatable, Sendable {
        case name(String)
        case element(Int)
        case every
        case matching(name: String, text: String)
    }

    let parts: [Part]

    init(_ declared: Declared) throws(CatalogueError) {
        let text = try declared.string("a path such as meta.total_count")
        guard let path = FieldPath(text) else {
            throw declared.error(
                "\u{201C}\(text)\u{201D} is no path",
                hint: "Join names by dots; [0], [-1], [] and [name=text] choose elements."
            )
        }
        self = path
    }

    init?(_ text: String) {
        guard text != "." else {
            self.init(parts: [])
            return
        }
        var parts: [Part] = []
        for piece in text.split(separator: ".", omittingEmptySubsequences: false) {
            var rest = piece
            let name = rest.prefix { $0 != "[" }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty || (parts.isEmpty && !rest.isEmpty) else { return nil }
            if !name.isEmpty { parts.append(.name(String(name))) }
            while !rest.isEmpty {
                guard rest.first == "[", let close = rest.firstIndex(of: "]"),
                    let part = Self.bracketed(rest[rest.index(after: rest.startIndex)..<close])
                else { return nil }
                parts.append(part)
                rest = rest[rest.index(after: close)...]
            }
        }
        self.init(parts: parts)
    }

    init(parts: [Part]) {
        self.parts = parts
    }

    private static func bracketed(_ text: Substring) -> Part? {
        if text.isEmpty { return .every }
        if let index = Int(text) { return .element(index) }
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[0].isEmpty else { return nil }
        return .matching(name: String(sides[0]), text: String(sides[1]))
    }

    /// The names before the first choice of elements.
    var leadingNames: [String] {
        var names: [String] = []
        for part in parts {
            guard case .name(let name) = part else { break }
            names.append(name)
        }
        return names
    }

    /// The first value there.
    func first(from start: JSONCursor) -> JSONCursor? {
        let document = start.document
        return document.withView { Self.first(parts, parts.indices, from: start.index, of: $0) }.map {
            document.cursor(at: $0)
        }
    }

    /// The index of the first value that a range of some parts leads to.
    static func first(_ parts: [Part], _ range: Range<Int>, from start: Int, of document: JSONView) -> Int? {
        var current = start
        for index in range {
            switch parts[index] {
            case .name(let name):
                guard let member = document.member(name, of: current) else { return nil }
                current = member
            case .element(let index):
                guard let element = document.element(index, of: current) else { return nil }
                current = element
            case .every, .matching:
                var first: Int?
                forEach(parts, index..<range.upperBound, from: current, of: document) { if first == nil { first = $0 } }
                return first
            }
        }
        return current
    }

    /// Visits the indices of all values that a range of some parts leads to, in order.
    static func forEach(
        _ parts: [Part],
        _ range: Range<Int>,
        from start: Int,
        of document: JSONView,
        _ body: (Int) -> Void
    ) {
        guard let index = range.first else { return body(start) }
        let rest = index + 1..<range.upperBound
        switch parts[index] {
        case .name(let name):
            guard let member = document.member(name, of: start) else { return }
            forEach(parts, rest, from: member, of: document, body)
        case .element(let element):
            guard let element = document.element(element, of: start) else { return }
            forEach(parts, rest, from: element, of: document, body)
        case .every:
            document.forEachElement(of: start) { element in
                forEach(parts, rest, from: element, of: document, body)
                return true
            }
        case .matching(let name, let text):
            document.forEachElement(of: start) { element in
                if let member = document.member(name, of: element), document.scalar(at: member, is: text) {
                    forEach(parts, rest, from: element, of: document, body)
                }
                return true
            }
        }
    }
}

extension JSONView {
    /// Whether a string, number or truth value is this text.
    func scalar(at index: Int, is text: String) -> Bool {
        switch kind(at: index) {
        case .string: isString(text, at: index)
        case .number, .bool: isText(text, at: index)
        case .null, .array, .object: false
        }
    }

    /// Lends the bytes of a string, number or truth value as text; nil when something else is there.
    func withScalarText<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result? {
        switch kind(at: index) {
        case .string where hasEscapes(at: index):
            var text: [UInt8] = []
            unescape(at: index, into: &text)
            return body(text.span)
        case .string, .number, .bool: return withBytes(at: index, body)
        case .null, .array, .object: return nil
        }
    }

    /// A string, number or truth value as text, so that sources may write numbers as strings and the other way round.
    func scalarText(at index: Int) -> String? {
        switch kind(at: index) {
        case .string: string(at: index)
        case .number, .bool: withBytes(at: index) { String(validated: $0) }
        case .null, .array, .object: nil
        }
    }
}

extension JSONCursor {
    /// A string, number or truth value as text.
    var scalarText: String? { document.withView { $0.scalarText(at: index) } }

    /// Whether it is a string, number or truth value of just these bytes.
    func isText(_ text: String) -> Bool { document.withView { $0.scalar(at: index, is: text) } }
}
