extension JSON5Node {
    /// The value of a member; nil when it is no object or has none.
    package subscript(name: String) -> JSON5Node? {
        members?.first { $0.name == name }?.node
    }

    package var kind: JSONKind {
        switch value {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    package var bool: Bool? {
        if case .bool(let bool) = value { bool } else { nil }
    }

    package var number: JSONNumber? {
        if case .number(let number) = value { number } else { nil }
    }

    /// A number that is written as an integer and fits.
    package var int: Int? { number?.int }

    package var double: Double? { number?.double }

    package var string: String? {
        if case .string(let string) = value { string } else { nil }
    }

    package var array: [JSON5Node]? {
        if case .array(let elements) = value { elements } else { nil }
    }

    package var members: [JSON5Member]? {
        if case .object(let members) = value { members } else { nil }
    }
}
