import JSON
import SearchModel

extension Step {
    /// The steps that are only a word.
    static let words: [(String, Step)] = [
        ("html", .html(marks: true)), ("htmlWithoutMarks", .html(marks: false)), ("entities", .entities),
        ("clean", .clean), ("number", .number), ("bool", .bool), ("first", .first), ("last", .last),
        ("url", .url(base: nil)), ("secure", .secure), ("scheme", .scheme), ("isbn10", .isbn10), ("isbn13", .isbn13),
        ("encode", .encode), ("lowercase", .lowercase), ("uppercase", .uppercase),
    ]

    /// The steps that are an object; the first name says which.
    static let names = [
        "after", "before", "date", "divide", "format", "join", "limit", "map", "omit", "others", "precision",
        "queryItem",
        "replace", "split", "trimPrefix", "trimSuffix", "url", "whole", "with", "within", "zone",
    ]

    init(_ declared: Declared) throws(CatalogueError) {
        guard declared.node.members != nil else {
            self = try declared.word(Self.words)
            return
        }
        let object = try declared.object(Self.names)
        guard let (name, value) = object.members.first else {
            throw declared.error("is empty", hint: "a step looks like {date: \"iso\"}")
        }
        let allowed = Self.companions[name] ?? []
        for (other, place) in object.members.dropFirst() where !allowed.contains(other) {
            throw place.error("does not belong to \(name)", hint: "put every step in braces of its own")
        }
        self = try Self.step(name, value, object)
    }

    /// What may stand beside the first name of a step.
    private static let companions = [
        "date": ["zone", "precision"], "divide": ["whole"], "map": ["others"], "replace": ["with"],
    ]

    private static func step(
        _ name: String,
        _ value: Declared,
        _ object: DeclaredObject
    ) throws(CatalogueError) -> Step {
        switch name {
        case "after": return .after(try value.string())
        case "before": return .before(try value.string())
        case "date": return try date(value, object)
        case "divide":
            return .divide(by: try value.double(in: 1e-9...1e12), whole: try object["whole"]?.bool() ?? false)
        case "format": return try format(value)
        case "join": return .join(try value.anyString())
        case "limit": return .limit(try value.integer(in: 1...TextLimits.listCountMax))
        case "map": return try map(value, object)
        case "omit": return .omit(try omitted(value))
        case "queryItem": return .queryItem(try value.string())
        case "replace": return .replace(try value.string(), with: try object.required("with").anyString())
        case "split": return .split(try value.string())
        case "trimPrefix": return .trimPrefix(try value.string())
        case "trimSuffix": return .trimSuffix(try value.string())
        case "url": return .url(base: try value.string())
        case "within": return try within(value)
        default: throw value.error("is not a step of its own", hint: "a step begins with its name")
        }
    }

    private static func date(_ value: Declared, _ object: DeclaredObject) throws(CatalogueError) -> Step {
        let format = try value.word(DateFormat.allCases.map { ($0.rawValue, $0) })
        let zone = try object["zone"]?.zone() ?? 0
        let precisions: [PublishedDate.Precision] = [.year, .month, .day, .second]
        let precision = try object["precision"]?.word(precisions.map { ($0.rawValue, $0) })
        return .date(format, zone: zone, precision: precision)
    }

    private static func format(_ value: Declared) throws(CatalogueError) -> Step {
        let text = try value.string()
        guard let place = text.firstRange(of: "{}") else {
            throw value.error("has no {}", hint: "{} stands for the value, as in https://example.org/{}")
        }
        return .format(before: String(text[..<place.lowerBound]), after: String(text[place.upperBound...]))
    }

    private static func map(_ value: Declared, _ object: DeclaredObject) throws(CatalogueError) -> Step {
        var table: [String: String] = [:]
        for (name, text) in try value.members() { table[name] = try text.anyString() }
        let others: Bool? = try object["others"]?.word([("keep", true), ("drop", false)])
        return .map(table, others: others ?? true)
    }

    private static func omitted(_ value: Declared) throws(CatalogueError) -> [String] {
        var texts: [String] = []
        for element in try value.oneOrMore() {
            guard let text = element.node.string ?? element.node.number?.text else {
                throw element.error("is neither a text nor a number")
            }
            texts.append(text)
        }
        return texts
    }

    private static func within(_ value: Declared) throws(CatalogueError) -> Step {
        let ends = try value.list()
        guard ends.count == 2 else { throw value.error("has not two ends", hint: "write [smallest, largest]") }
        let low = try ends[0].double(in: -1e15...1e15)
        let high = try ends[1].double(in: -1e15...1e15)
        guard low <= high else { throw value.error("ends before it begins", hint: "write [smallest, largest]") }
        return .within(low...high)
    }
}
