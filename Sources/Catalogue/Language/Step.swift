import JSON
import SearchModel

/// One transform of a field's value.
///
/// A step for one value is applied to each element of a list. A value that a step cannot take is dropped, and the next
/// alternative of the rule is tried.
enum Step: Sendable {
    /// Plain text from HTML, with marks or without.
    case html(marks: Bool)
    /// Plain text from text with entities and no tags.
    case entities
    /// Plain text.
    case clean
    case date(DateFormat, zone: Int, precision: PublishedDate.Precision?)
    /// A number, also from a string that holds one.
    case number
    /// A quotient, with its fraction or rounded to a whole number.
    case divide(by: Double, whole: Bool)
    case within(ClosedRange<Double>)
    case bool
    case join(String)
    case split(String)
    case first
    case last
    case limit(Int)
    /// A checked web address, relative ones resolved against a base.
    case url(base: String)
    /// `http` becomes `https`.
    case secure
    /// A checked web address that may lack its scheme.
    case scheme
    /// The text between two constant ones.
    case format(before: String, after: String)
    case after(String)
    case before(String)
    case trimPrefix(String)
    case trimSuffix(String)
    case replace(String, with: String)
    /// The decoded value of a parameter in a URL's query; its name is percent-encoded and ends with `=`.
    case queryItem(String)
    /// Nothing, if it is one of these.
    case omit([String])
    /// What each text becomes; other values are kept or dropped.
    case map([(from: String, to: String)], keepsOthers: Bool)
    /// The text with marks where the text at a path has the same words between `<em>` and `</em>`.
    case marks(FieldPath)
    case isbn10
    case isbn13
    /// Percent-encoded for the path of a URL, blanks as underscores.
    case encode
    case lowercase
    case uppercase
}

extension Step {
    /// The steps that are only a word.
    private static let words: [(String, Step)] = [
        ("html", .html(marks: true)), ("htmlWithoutMarks", .html(marks: false)), ("entities", .entities),
        ("clean", .clean), ("number", .number), ("bool", .bool), ("first", .first), ("last", .last),
        ("url", .url(base: "")), ("secure", .secure), ("scheme", .scheme), ("isbn10", .isbn10), ("isbn13", .isbn13),
        ("encode", .encode), ("lowercase", .lowercase), ("uppercase", .uppercase),
    ]

    /// The names of steps that are an object; the first one decides.
    private static let names = [
        "after", "before", "date", "divide", "format", "join", "limit", "map", "marks", "omit", "others", "precision",
        "queryItem",
        "replace", "split", "trimPrefix", "trimSuffix", "url", "whole", "with", "within", "zone",
    ]

    /// The names that may follow the first name of a step.
    private static let companions = [
        "date": ["zone", "precision"], "divide": ["whole"], "map": ["others"], "replace": ["with"],
    ]

    /// Reads a step; the names with which its paths begin are added to `names`.
    init(_ declared: Declared, _ names: inout MemberNames) throws(CatalogueError) {
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
        self = try name == "marks" ? .marks(FieldPath(value, &names)) : Self.step(name, value, object)
    }

    private static func step(_ name: String, _ value: Declared, _ object: DeclaredObject) throws(CatalogueError) -> Step
    {
        switch name {
        case "after": return .after(try value.string())
        case "before": return .before(try value.string())
        case "date": return try date(value, object)
        case "divide":
            return .divide(by: try value.double(in: 1e-9...1e12), whole: try object["whole"]?.bool() ?? false)
        case "format":
            let text = try value.string()
            guard let braces = text.firstRange(of: "{}") else {
                throw value.error("has no {}", hint: "{} stands for the value, as in https://example.org/{}.")
            }
            return .format(before: String(text[..<braces.lowerBound]), after: String(text[braces.upperBound...]))
        case "join": return .join(try value.anyString())
        case "limit": return .limit(try value.integer(in: 1...TextLimits.listCountMax))
        case "map":
            var entries: [(from: String, to: String)] = []
            for (name, text) in try value.members() { entries.append((name, try text.anyString())) }
            let keepsOthers = try object["others"]?.word([("keep", true), ("drop", false)])
            return .map(entries, keepsOthers: keepsOthers ?? true)
        case "omit": return .omit(try omitted(value))
        case "queryItem": return .queryItem(PercentEncoding.encode(try value.string()) + "=")
        case "replace": return .replace(try value.string(), with: try object.required("with").anyString())
        case "split": return .split(try value.string())
        case "trimPrefix": return .trimPrefix(try value.string())
        case "trimSuffix": return .trimSuffix(try value.string())
        case "url": return .url(base: try value.string())
        case "within": return .within(try range(value))
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

    private static func range(_ value: Declared) throws(CatalogueError) -> ClosedRange<Double> {
        let ends = try value.list()
        guard ends.count == 2 else { throw value.error("has not two ends", hint: "Write [smallest, largest].") }
        let low = try ends[0].double(in: -1e15...1e15)
        let high = try ends[1].double(in: -1e15...1e15)
        guard low <= high else { throw value.error("ends before it begins", hint: "Write [smallest, largest].") }
        return low...high
    }
}
