/// A JSON value as a tree, for code that does not need to be fast.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
}

package struct JSONMember: Equatable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

extension JSONValue {
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self,
            let index = members.indices.last(where: { members[$0].name.hasSameBytes(as: name) })
        else { return nil }
        return members[index].value
    }

    package subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    package var isNull: Bool { self == .null }

    package var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    package var number: JSONNumber? {
        if case .number(let number) = self { number } else { nil }
    }

    package var int: Int? { number?.int }

    package var double: Double? { number?.double }

    package var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let array) = self { array } else { nil }
    }

    package var members: [JSONMember]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSONValue: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) {
        self = .null
    }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }
}

extension JSONValue: ExpressibleByFloatLiteral {
    package init(floatLiteral value: Double) {
        self = JSONNumber(value).map(JSONValue.number) ?? .null
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSONValue: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { JSONMember($0.0, $0.1) })
    }
}
