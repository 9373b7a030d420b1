import JSON

/// A JSON body with templates; omits texts without a value, and lists and objects that become empty.
indirect enum BodyTemplate: Sendable {
    case constant(JSONValue)
    case text(Template)
    case list([BodyTemplate])
    case object([(name: String, value: BodyTemplate)])

    init(_ declared: Declared) throws(CatalogueError) {
        switch declared.node.kind {
        case .object:
            self = .object(declared.each { name, value throws(CatalogueError) in (name, try BodyTemplate(value)) })
        case .array: self = .list(declared.each(BodyTemplate.init))
        case .string: self = .text(try Template(declared))
        case .null, .bool, .number: self = .constant(declared.node.plain)
        }
    }

    /// A text that is only a placeholder becomes a number or boolean if `isTyped` returns true for the placeholder.
    func filled(_ value: (Template.Variable) -> String?, isTyped: (Template.Variable) -> Bool) -> JSONValue? {
        switch self {
        case .constant(let constant): return constant
        case .text(let template):
            guard let text = template.filled(value) else { return nil }
            return template.onlyVariable.map(isTyped) == true ? Self.typed(text) : .string(text)
        case .list(let elements):
            let values = elements.compactMap { $0.filled(value, isTyped: isTyped) }
            return values.isEmpty && !elements.isEmpty ? nil : .array(values)
        case .object(let members):
            let filled = members.compactMap { member in
                member.value.filled(value, isTyped: isTyped).map { JSONMember(member.name, $0) }
            }
            return filled.isEmpty && !members.isEmpty ? nil : .object(filled)
        }
    }

    private static func typed(_ text: String) -> JSONValue {
        if let number = Int(text) { return .number(JSONNumber(number)) }
        return switch text {
        case "true": .bool(true)
        case "false": .bool(false)
        default: .string(text)
        }
    }
}
