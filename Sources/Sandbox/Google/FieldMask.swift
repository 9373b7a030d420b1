import JSON

/// Google's `fields` parameter: which members an answer keeps, as `a,b(c,d/e)`.
struct FieldMask: Equatable, Sendable {
    static let depthMax = 16

    /// The members that stay, each with what stays inside it; an empty mask keeps everything.
    private var members: [String: FieldMask] = [:]

    /// Fails when the text does not follow the form.
    init?(_ text: String) {
        var rest = text[...]
        guard let mask = Self.list(&rest, depth: 0), rest.isEmpty else { return nil }
        self = mask
    }

    private init() {}

    /// In the answer's own order.
    func apply(_ value: JSONValue) -> JSONValue {
        guard !members.isEmpty, members["*"] == nil else { return value }
        switch value {
        case .array(let elements): return .array(elements.map(apply))
        case .object(let all):
            return .object(
                all.compactMap { member in
                    members[member.name].map { JSONMember(member.name, $0.apply(member.value)) }
                }
            )
        default: return value
        }
    }

    private static func list(_ rest: inout Substring, depth: Int) -> FieldMask? {
        guard depth < depthMax else { return nil }
        var mask = FieldMask()
        repeat {
            guard let (name, inner) = item(&rest, depth: depth) else { return nil }
            mask.members[name] = inner
        } while take(",", &rest)
        return mask
    }

    private static func item(_ rest: inout Substring, depth: Int) -> (String, FieldMask)? {
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "*" }
        guard !name.isEmpty, depth < depthMax else { return nil }
        rest = rest.dropFirst(name.count)
        if take("/", &rest) {
            guard let (inner, mask) = item(&rest, depth: depth + 1) else { return nil }
            var outer = FieldMask()
            outer.members[inner] = mask
            return (String(name), outer)
        }
        guard take("(", &rest) else { return (String(name), FieldMask()) }
        guard let inner = list(&rest, depth: depth + 1), take(")", &rest) else { return nil }
        return (String(name), inner)
    }

    private static func take(_ mark: Character, _ rest: inout Substring) -> Bool {
        guard rest.first == mark else { return false }
        rest.removeFirst()
        return true
    }
}
