import JSON

/// A JSON value with placeholders, parsed once.
///
/// - A string with `{name}` or `{function arguments}` is filled in; a string that is one placeholder keeps the type of
///   its value. `{name|text}` has a default. `{{` is a brace.
/// - A member `"name ?condition"` exists only when the condition holds: `?1/3` by chance, `?name`, `?name=text`,
///   `?list~word`, `?name*=part`; several joined with `&`, each perhaps negated with `!`.
/// - `{"$if": condition, then: …, else: …}` chooses; without `else` the value may be missing, and a missing member or
///   element is left out. `{"$pick": […]}` chooses by chance, with `$same: true` alike for documents with one ISBN.
///   `{"$repeat": [least, most], of: …}` is an array.
indirect enum Template: Sendable {
    case literal(JSONValue)
    case text([Piece])
    case object([Member])
    case array([Template])
    case conditional(Condition, then: Template, else: Template?)
    case pick([Template], same: Bool)
    case repeated(ClosedRange<Int>, Template)

    struct Member: Sendable {
        let name: String
        let key: UInt64
        let condition: Condition?
        let value: Template
    }

    enum Piece: Sendable {
        case text(String)
        case call(Call)
    }

    /// A placeholder.
    struct Call: Sendable {
        let name: String
        let function: Function?
        let arguments: [String]
        /// Everything after the first argument, for formats and choices with spaces.
        let rest: String
        let fallback: String?
        /// Of `{if condition a|b}` and `{is condition}`.
        let condition: Condition?
        /// Of `{pick a|b|c}` and `{if condition a|b}`.
        let choices: [String]
    }

    init(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .init(text: text)
        case .array(let elements): self = .array(elements.map { Template($0) })
        case .object(let members):
            if let condition = value["$if"]?.string, let then = value["then"] {
                let other = value["else"].map { Template($0) }
                self = .conditional(Condition(condition), then: Template(then), else: other)
            } else if let choices = value["$pick"]?.array {
                self = .pick(choices.map { Template($0) }, same: value["$same"]?.bool ?? false)
            } else if let least = value["$repeat"]?[0]?.int, let most = value["$repeat"]?[1]?.int, let of = value["of"]
            {
                self = .repeated(least...most, Template(of))
            } else {
                self = .object(members.map(Member.init))
            }
        default: self = .literal(value)
        }
    }

    init(text: String) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if rest[open...].hasPrefix("{{") {
                pieces.append(.text(String(rest[...open])))
                rest = rest[open...].dropFirst(2)
                continue
            }
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            pieces.append(.call(Call(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if pieces.isEmpty {
            self = .literal(.string(text))
        } else {
            self = .text(rest.isEmpty ? pieces : pieces + [.text(String(rest))])
        }
    }
}

extension Template.Member {
    init(_ member: JSONMember) {
        let parts = member.name.split(separator: " ?", maxSplits: 1)
        name = parts.first.map(String.init) ?? ""
        key = Dice.hash(name)
        condition = parts.count == 2 ? Condition(String(parts[1])) : nil
        value = Template(member.value)
    }
}

extension Template.Call {
    init(_ text: Substring) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        let head = parts[0].split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        name = String(head[0])
        function = Function.named[name]
        fallback = head.count == 2 ? String(head[1]) : nil
        arguments = text.split(separator: " ").dropFirst().map(String.init)
        rest = parts.count == 3 ? String(parts[2]) : ""
        let hasCondition = function == .choose || function == .holds
        condition = hasCondition ? Condition(arguments.first ?? "") : nil
        let list = hasCondition ? Substring(rest) : text.dropFirst(name.count + 1)
        choices = list.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }

    /// A placeholder of just a name.
    init(name: String) {
        (self.name, function) = (name, Function.named[name])
        (arguments, rest, fallback, condition, choices) = ([], "", nil, nil, [])
    }
}

/// What decides whether a member exists; all terms must hold.
struct Condition: Sendable {
    enum Term: Sendable {
        /// By chance, in so many of so many cases.
        case chance(Int, of: Int)
        /// Set, and neither false, 0 nor empty.
        case isSet(String)
        case equals(String, String)
        /// One of the words of a list.
        case contains(String, String)
        case hasText(String, String)
    }

    let terms: [(term: Term, holds: Bool)]

    init(_ text: String) {
        terms = text.split(separator: "&").map { part in
            let isNegated = part.hasPrefix("!")
            return (Self.term(isNegated ? part.dropFirst() : part), !isNegated)
        }
    }

    private static func term(_ text: Substring) -> Term {
        for separator in ["*=", "=", "~", "/"] {
            guard let range = text.ranges(of: separator).first else { continue }
            let (left, right) = (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
            switch separator {
            case "*=": return .hasText(left, right)
            case "=": return .equals(left, right)
            case "~": return .contains(left, right)
            default: return .chance(Int(left) ?? 0, of: Int(right) ?? 1)
            }
        }
        return .isSet(String(text))
    }
}

extension JSONValue {
    /// The value inside a longer text.
    var plainText: String {
        switch self {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let flag): flag ? "true" : "false"
        default: ""
        }
    }

    /// Neither null, false, 0 nor empty.
    var isSet: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .number(let number): number.double != 0
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object: true
        }
    }
}
