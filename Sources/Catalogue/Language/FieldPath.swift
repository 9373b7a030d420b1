import JSON

/// Where a value is in a source's document, as `volumeInfo.industryIdentifiers[type=ISBN_13].identifier`.
///
/// Names are joined by dots; `[0]` and `[-1]` take one element, `[]` every one, `[name=text]` those whose member has that
/// text. `.` is the place itself.
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
                hint: "join names by dots; [0], [-1], [] and [name=text] choose elements"
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

    /// The values there, in order; none when the document has no such place.
    func all(from start: JSONCursor) -> [JSONCursor] {
        Self.all(from: start, parts[...])
    }

    /// The first value there.
    func first(from start: JSONCursor) -> JSONCursor? {
        Self.first(from: start, parts[...])
    }

    static func first(from start: JSONCursor, _ parts: ArraySlice<Part>) -> JSONCursor? {
        guard let part = parts.first else { return start }
        let rest = parts.dropFirst()
        switch part {
        case .name(let name): return start[name].flatMap { first(from: $0, rest) }
        case .element(let index):
            return start[index < 0 ? start.count + index : index].flatMap { first(from: $0, rest) }
        case .every, .matching: return all(from: start, parts).first
        }
    }

    static func all(from start: JSONCursor, _ parts: ArraySlice<Part>) -> [JSONCursor] {
        guard let part = parts.first else { return [start] }
        let rest = parts.dropFirst()
        switch part {
        case .name, .element:
            guard let next = first(from: start, [part]) else { return [] }
            return all(from: next, rest)
        case .every:
            return start.elements.flatMap { all(from: $0, rest) }
        case .matching(let name, let text):
            return start.elements.filter { $0[name]?.scalarText == text }.flatMap { all(from: $0, rest) }
        }
    }
}

extension JSONCursor {
    /// A string, number or truth value as text, so that sources may write numbers as strings and the other way round.
    var scalarText: String? {
        switch kind {
        case .string: string
        case .number, .bool: String(decoding: text, as: UTF8.self)
        case .null, .array, .object: nil
        }
    }
}
