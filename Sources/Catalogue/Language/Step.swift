import JSON
import SearchModel

/// A step that converts the value of a field; if `apply` returns nil, the next alternative of the rule is used.
struct Step: Sendable {
    typealias Transform = @Sendable (MappedValue, FieldReader) -> MappedValue?

    let apply: Transform

    private init(_ apply: @escaping Transform) {
        self.apply = apply
    }

    /// Applies the step to each element of a list.
    private static func each(_ apply: @escaping Transform) -> Step {
        Step { value, reader in
            guard reader.isList(value) else { return apply(value, reader) }
            let elements = reader.elements(of: value, countMax: TextLimits.listCountMax)
                .compactMap { apply($0, reader) }
            return elements.isEmpty ? nil : .list(elements)
        }
    }

    private static func text(_ make: @escaping @Sendable (Span<UInt8>) -> String?) -> Step {
        each { value, reader in (reader.withText(of: value, make) ?? nil).map(MappedValue.text) }
    }

    private static func clean(_ markup: TextCleaner.Markup, hasMarks: Bool = false) -> Step {
        each { value, reader in
            let plain = reader.clean(value, markup, bytesMax: TextLimits.extraBytesMax)?.unlessEmpty
            return plain.map { .plain(hasMarks ? $0 : PlainText(text: $0.text)) }
        }
    }

    private static func isbn(_ find: @escaping @Sendable (Span<UInt8>) -> String?) -> Step {
        Step { value, reader in
            var isbn: String?
            reader.forEachElement(of: value) { element in
                isbn = reader.withText(of: element, find) ?? nil
                return isbn == nil
            }
            return isbn.map { .plain(PlainText(text: $0)) }
        }
    }

    private static let words: [(String, Step)] = [
        ("html", clean(.html, hasMarks: true)),
        ("htmlWithoutMarks", clean(.html)),
        ("entities", clean(.entities)),
        ("clean", clean(.none)),
        ("number", each { $1.number(of: $0).map(MappedValue.number) }),
        ("bool", each { $1.bool(of: $0).map(MappedValue.bool) }),
        ("first", Step { $1.edge(of: $0) }),
        ("last", Step { $1.edge(of: $0, isLast: true) }),
        ("url", url(base: "")),
        ("secure", text { $0.begins(with: "http://".utf8.span) ? "https" + piece($0, from: 4) : piece($0) }),
        (
            "scheme",
            text { text in
                guard !text.isEmpty else { return nil }
                let hasScheme = text.index(of: "://".utf8.span) != nil
                return WebAddress((hasScheme ? "" : "https://") + String(validated: text))?.text
            }
        ),
        ("isbn10", isbn(ISBN.ten)),
        ("isbn13", isbn(ISBN.thirteen)),
        ("encode", text { URLReference.encodedPath(String(validated: $0)) }),
        ("lowercase", text { String(validated: $0).lowercased() }),
        ("uppercase", text { String(validated: $0).uppercased() }),
    ]

    private static let names = [
        "after", "before", "date", "divide", "format", "join", "limit", "map", "marks", "omit", "others", "precision",
        "queryItem", "replace", "split", "trimPrefix", "trimSuffix", "url", "whole", "with", "within", "zone",
    ]

    private static let companions = [
        "date": ["zone", "precision"], "divide": ["whole"], "map": ["others"], "replace": ["with"],
    ]

    init(_ declared: Declared) throws(CatalogueError) {
        guard declared.node.members != nil else {
            self = try declared.word(Self.words)
            return
        }
        let object = try declared.object(Self.names)
        guard let (name, value) = object.members.first else {
            throw declared.error("is empty", hint: "A step looks like {date: \"iso\"}.")
        }
        let allowed = Self.companions[name] ?? []
        for (other, value) in object.members.dropFirst() where !allowed.contains(other) {
            throw value.error("does not belong to \(name)", hint: "Put each step in its own braces.")
        }
        self = try Self.step(name, value, object)
    }

    private static func step(_ name: String, _ value: Declared, _ object: DeclaredObject) throws(CatalogueError) -> Step
    {
        switch name {
        case "after":
            let mark = try value.string()
            return text { text in text.index(of: mark.utf8.span).map { piece(text, from: $0 + mark.utf8.count) } }
        case "before":
            let mark = try value.string()
            return text { text in text.index(of: mark.utf8.span).map { piece(text, to: $0) } }
        case "date": return try date(value, object)
        case "divide":
            let divisor = try value.double(in: 1e-9...1e12)
            return divide(by: divisor, isWhole: try object["whole"]?.bool() ?? false)
        case "format": return try format(value)
        case "join":
            let separator = try value.anyString()
            return Step { value, reader in
                let joined = reader.joined(value, by: separator, withEmpty: false)
                return reader.isEmptyText(joined) ? nil : joined
            }
        case "limit":
            let count = try value.integer(in: 1...TextLimits.listCountMax)
            return Step { value, reader in .list(reader.elements(of: value, countMax: count)) }
        case "map": return try map(value, object)
        case "marks":
            let path = try FieldPath(value)
            return Step { value, reader in reader.marked(value, by: reader.value(path)) }
        case "omit": return try omit(value)
        case "queryItem":
            let item = PercentEncoding.encode(try value.string()) + "="
            return text { URLReference.queryItem(item.utf8.span, of: $0) }
        case "replace":
            let (old, new) = (try value.string(), try object.required("with").anyString())
            return text { $0.replacing(old.utf8.span, with: new.utf8.span) }
        case "split":
            let separator = try value.string()
            return Step { value, reader in reader.split(value, by: separator) }
        case "trimPrefix":
            let prefix = try value.string()
            return text { piece($0, from: $0.begins(with: prefix.utf8.span) ? prefix.utf8.count : 0) }
        case "trimSuffix":
            let suffix = try value.string()
            return text { piece($0, to: $0.ends(with: suffix.utf8.span) ? $0.count - suffix.utf8.count : $0.count) }
        case "url": return url(base: try value.string())
        case "within":
            let range = try value.pair { end throws(CatalogueError) in try end.double(in: -1e15...1e15) }
            return each { value, reader in
                reader.number(of: value).flatMap { range.contains($0.double) ? .number($0) : nil }
            }
        default: throw value.error("is not the name of a step", hint: "Write the name of the step first.")
        }
    }

    private static func piece(_ text: Span<UInt8>, from start: Int = 0, to end: Int = .max) -> String {
        String(validated: text.extracting(start..<min(end, text.count)))
    }

    private static func date(_ value: Declared, _ object: DeclaredObject) throws(CatalogueError) -> Step {
        let format: DateFormat = try value.word()
        let zone = try object["zone"]?.zone() ?? 0
        let precision: PublishedDate.Precision? = try object["precision"]?.word()
        return each { value, reader in
            guard let date = reader.withText(of: value, { format.read($0, zone: zone) }) ?? nil else { return nil }
            guard let precision else { return .date(date) }
            let (seconds, offset) = (date.epochSeconds, date.offsetMinutes)
            return .date(PublishedDate(epochSeconds: seconds, offsetMinutes: offset, precision: precision))
        }
    }

    private static func divide(by divisor: Double, isWhole: Bool) -> Step {
        each { value, reader in
            guard let number = reader.number(of: value) else { return nil }
            if isWhole {
                let divisor = max(1, Int(divisor))
                return number.int.map { .number(JSONNumber($0 / divisor + ($0 % divisor) * 2 / divisor)) }
            }
            let quotient = number.double / divisor
            // Avoids a negative zero.
            return JSONNumber(quotient == 0 ? 0 : quotient).map(MappedValue.number)
        }
    }

    private static func format(_ value: Declared) throws(CatalogueError) -> Step {
        let text = try value.string()
        guard let braces = text.firstRange(of: "{}") else {
            throw value.error("has no {}", hint: "Write {} in place of the value, such as https://example.org/{}.")
        }
        let (before, after) = (String(text[..<braces.lowerBound]), String(text[braces.upperBound...]))
        return Self.text { $0.isEmpty ? nil : before + String(validated: $0) + after }
    }

    private static func map(_ value: Declared, _ object: DeclaredObject) throws(CatalogueError) -> Step {
        let entries = try value.members().map { name, text throws(CatalogueError) in (name, try text.anyString()) }
        let others: Bool? = try object["others"]?.word([("keep", true), ("drop", false)])
        let keepsOthers = others ?? true
        return each { value, reader in
            let entry = reader.withText(of: value) { text in entries.first { text.hasSameBytes(as: $0.0.utf8.span) } }
            return (entry ?? nil).map { .text($0.1) } ?? (keepsOthers ? value : nil)
        }
    }

    private static func omit(_ value: Declared) throws(CatalogueError) -> Step {
        let texts = try value.oneOrMore().map { element throws(CatalogueError) in
            if let text = element.node.string ?? element.node.number?.text { return text }
            throw element.error("is not a text or a number")
        }
        return each { value, reader in
            let isOmitted = reader.withText(of: value) { text in texts.contains { text.hasSameBytes(as: $0.utf8.span) }
            }
            return isOmitted ?? false ? nil : value
        }
    }

    private static func url(base: String) -> Step {
        each { value, reader in
            reader.withText(of: value) { text in
                if WebAddress.isClean(text) { return .address(String(validated: text)) }
                let resolved = URLReference.resolved(text, against: base.utf8.span)
                if WebAddress.isClean(resolved.utf8.span) { return .address(resolved) }
                return WebAddress(resolved).map { .text($0.text) }
            } ?? nil
        }
    }
}
