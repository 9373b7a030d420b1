import JSON

/// A JSON value with placeholders.
///
/// - `{name}` becomes a value, and `{function arguments}` becomes the result of a `Function`.
/// - `{name|text}` has the default `text`. `{title marked}` applies a `Change`. `{{` is a brace.
/// - A string `"?condition text"` or a member `"name ?condition"` exists only if the `Condition` is true.
indirect enum Template: Sendable {
    case literal(JSONValue)
    case text([Piece])
    case object([Member])
    case array([Template])
    case conditional(Condition, Template)

    struct Member: Sendable {
        let name: String
        let key: UInt64
        let value: Template
    }

    enum Piece: Sendable {
        case text(String)
        case call(Call)
    }

    struct Call: Sendable {
        let name: String
        let function: Function?
        let arguments: [String]
        let rest: String
        let fallback: String?
        let change: Change?
        let condition: Condition?
        let choices: [String]
    }

    /// `marked` escapes HTML and marks matches.
    ///
    /// `base36` writes a number in base 36.
    enum Change: String, Sendable {
        case marked, escaped, lower, text, base36
    }

    init(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .init(text: text)
        case .array(let elements): self = .array(elements.map { Template($0) })
        case .object(let members): self = .object(members.map(Member.init))
        default: self = .literal(value)
        }
    }

    init(text: String) {
        if text.hasPrefix("?") {
            let parts = text.dropFirst().split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            self = .conditional(Condition(parts[0]), Template(text: String(parts.last ?? "")))
            return
        }
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
            rest = rest[close...].dropFirst()
        }
        self =
            pieces.isEmpty ? .literal(.string(text)) : .text(rest.isEmpty ? pieces : pieces + [.text(String(rest))])
    }
}

extension Template.Member {
    init(_ member: JSONMember) {
        let parts = member.name.split(separator: " ?", maxSplits: 1)
        name = parts.first.map(String.init) ?? ""
        key = Dice.hash(member.name)
        let value = Template(member.value)
        self.value = parts.count == 2 ? .conditional(Condition(parts[1]), value) : value
    }
}

extension Template.Call {
    init(_ text: Substring) {
        let head = text.prefix { $0 != " " }.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        name = String(head.first ?? "")
        function = Function(rawValue: name)
        fallback = head.count == 2 ? String(head[1]) : nil
        var arguments = text.split(separator: " ").dropFirst().map(String.init)
        change = arguments.last.flatMap(Template.Change.init)
        if change != nil { arguments.removeLast() }
        self.arguments = arguments
        rest = arguments.dropFirst().joined(separator: " ")
        let hasCondition = function == .choose || function == .holds
        condition = hasCondition ? Condition(Substring(arguments.first ?? "")) : nil
        let list = hasCondition ? rest : arguments.joined(separator: " ")
        choices = list.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
}

/// Terms separated by `&`, which must all be true.
///
/// `!` negates a term.
///
/// `1/3` is true at random in 1 of 3 cases. `name` is true if the variable is set, and `name~text` if the variable
/// contains the text.
struct Condition: Sendable {
    enum Term: Sendable {
        case chance(Int, of: Int)
        case isSet(String)
        case equals(String, String)
        case contains(String, String)
    }

    let terms: [(term: Term, holds: Bool)]

    init(_ text: Substring) {
        terms = text.split(separator: "&").map { part in
            let isNegated = part.hasPrefix("!")
            return (Self.term(isNegated ? part.dropFirst() : part), !isNegated)
        }
    }

    private static func term(_ text: Substring) -> Term {
        guard let cut = text.firstIndex(where: { "=~/".contains($0) }) else { return .isSet(String(text)) }
        let (left, right) = (String(text[..<cut]), String(text[cut...].dropFirst()))
        switch text[cut] {
        case "=": return .equals(left, right)
        case "~": return .contains(left, right)
        default: return .chance(Int(left) ?? 0, of: Int(right) ?? 1)
        }
    }
}

/// How an API marks matches and escapes HTML.
///
/// In raw texts, the control character 2 is on both sides of a match.
struct TextStyle: Sendable {
    private static let mark: UInt8 = 2
    private let open: String
    private let close: String
    private let isHexadecimal: Bool

    init(_ api: JSONValue) {
        open = api["marks"]?[0]?.string ?? ""
        close = api["marks"]?[1]?.string ?? ""
        isHexadecimal = api["isHexadecimal"]?.bool ?? false
    }

    static func plain(_ raw: String) -> String {
        raw.utf8.contains(mark) ? String(decoding: raw.utf8.filter { $0 != mark }, as: UTF8.self) : raw
    }

    func marked(_ raw: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(raw.utf8.count * 2)
        var isOpen = false
        for byte in raw.utf8 {
            switch byte {
            case Self.mark:
                text += (isOpen ? close : open).utf8
                isOpen.toggle()
            case UInt8(ascii: "&"): text += "&amp;".utf8
            case UInt8(ascii: "<"): text += "&lt;".utf8
            case UInt8(ascii: ">"): text += "&gt;".utf8
            case UInt8(ascii: "\""): text += "&quot;".utf8
            case UInt8(ascii: "'"): text += (isHexadecimal ? "&#x27;" : "&#39;").utf8
            case UInt8(ascii: "/") where isHexadecimal: text += "&#x2F;".utf8
            default: text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension JSONValue {
    var plainText: String {
        switch self {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let flag): flag ? "true" : "false"
        default: ""
        }
    }

    /// False for null, false, 0, a blank string and an empty array.
    var isSet: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .number(let number): number.double != 0
        case .string(let text): text.utf8.contains { $0 != UInt8(ascii: " ") }
        case .array(let elements): !elements.isEmpty
        case .object: true
        }
    }

    static func integer(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }

    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    static func hundredths(_ number: Int) -> JSONValue {
        let cents = padded(number % 100)
        let fraction = cents == "00" ? "" : cents.hasSuffix("0") ? "." + cents.dropLast() : "." + cents
        return .number(JSONNumber(validatedText: "\(number / 100)\(fraction)"))
    }
}
