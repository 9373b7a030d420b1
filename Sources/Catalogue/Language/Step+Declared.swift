import HTTPMessage
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

    /// The names of steps that are an object; the first one decides.
    static let names = [
        "after", "before", "date", "divide", "format", "join", "limit", "map", "marks", "omit", "others", "precision",
        "queryItem",
        "replace", "split", "trimPrefix", "trimSuffix", "url", "whole", "with", "within", "zone",
    ]

    /// Reads a step; its texts go into the tables.
    init(_ declared: Declared, _ tables: inout RuleTables) throws(CatalogueError) {
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
            throw value.error("does not belong to \(name)", hint: "Put every step in braces of its own.")
        }
        self = try Self.step(name, value, object, &tables)
    }

    /// What may stand beside the first name of a step.
    private static let companions = [
        "date": ["zone", "precision"], "divide": ["whole"], "map": ["others"], "replace": ["with"],
    ]

    private static func step(
        _ name: String,
        _ value: Declared,
        _ object: DeclaredObject,
        _ tables: inout RuleTables
    ) throws(CatalogueError) -> Step {
        switch name {
        case "after": return .after(tables.add(try value.string()))
        case "before": return .before(tables.add(try value.string()))
        case "date": return try date(value, object)
        case "divide":
            return .divide(by: try value.double(in: 1e-9...1e12), whole: try object["whole"]?.bool() ?? false)
        case "format": return try format(value, &tables)
        case "join": return .join(tables.add(try value.anyString()))
        case "limit": return .limit(try value.integer(in: 1...TextLimits.listCountMax))
        case "map": return try map(value, object, &tables)
        case "marks": return .marks(path: tables.add(try FieldPath(value)))
        case "omit": return .omit(tables.add(try omitted(value)))
        case "queryItem": return .queryItem(tables.add(PercentEncoding.encode(try value.string()) + "="))
        case "replace":
            let replaced = tables.add(try value.string())
            return .replace(replaced, with: tables.add(try object.required("with").anyString()))
        case "split": return .split(tables.add(try value.string()))
        case "trimPrefix": return .trimPrefix(tables.add(try value.string()))
        case "trimSuffix": return .trimSuffix(tables.add(try value.string()))
        case "url": return .url(base: tables.add(try value.string()))
        case "within": return try within(value)
        default: throw value.error("is not a step of its own", hint: "A step begins with its name.")
        }
    }

    private static func date(_ value: Declared, _ object: DeclaredObject) throws(CatalogueError) -> Step {
        let format = try value.word(DateFormat.allCases.map { ($0.rawValue, $0) })
        let zone = try object["zone"]?.zone() ?? 0
        let precisions: [PublishedDate.Precision] = [.year, .month, .day, .second]
        let precision = try object["precision"]?.word(precisions.map { ($0.rawValue, $0) })
        return .date(format, zone: zone, precision: precision)
    }

    private static func format(_ value: Declared, _ tables: inout RuleTables) throws(CatalogueError) -> Step {
        let text = try value.string()
        guard let braces = text.firstRange(of: "{}") else {
            throw value.error("has no {}", hint: "{} stands for the value, as in https://example.org/{}.")
        }
        let before = tables.add(String(text[..<braces.lowerBound]))
        return .format(before: before, after: tables.add(String(text[braces.upperBound...])))
    }

    private static func map(
        _ value: Declared,
        _ object: DeclaredObject,
        _ tables: inout RuleTables
    ) throws(CatalogueError) -> Step {
        var texts: [String] = []
        for (name, text) in try value.members() { texts += [name, try text.anyString()] }
        let others: Bool? = try object["others"]?.word([("keep", true), ("drop", false)])
        return .map(tables.add(texts), others: others ?? true)
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
        guard ends.count == 2 else { throw value.error("has not two ends", hint: "Write [smallest, largest].") }
        let low = try ends[0].double(in: -1e15...1e15)
        let high = try ends[1].double(in: -1e15...1e15)
        guard low <= high else { throw value.error("ends before it begins", hint: "Write [smallest, largest].") }
        return .within(low...high)
    }
}
