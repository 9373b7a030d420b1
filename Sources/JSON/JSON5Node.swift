/// A value in a JSON5 file, with its line and column for error messages.
package struct JSON5Node: Sendable {
    package enum Value: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSON5Node])
        case object([JSON5Member])
    }

    package let value: Value
    package let line: Int
    /// In Unicode scalars, counted from 1.
    package let column: Int

    package init(_ value: Value, line: Int, column: Int) {
        self.value = value
        self.line = line
        self.column = column
    }

    package var plain: JSONValue {
        switch value {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .number(let number): .number(number)
        case .string(let string): .string(string)
        case .array(let elements): .array(elements.map(\.plain))
        case .object(let members): .object(members.map { JSONMember($0.name, $0.node.plain) })
        }
    }
}

package struct JSON5Member: Sendable {
    package let name: String
    package let line: Int
    package let column: Int
    package let node: JSON5Node

    package init(name: String, line: Int, column: Int, node: JSON5Node) {
        self.name = name
        self.line = line
        self.column = column
        self.node = node
    }
}

package struct JSON5Error: Error, Equatable, Sendable, CustomStringConvertible {
    package let code: JSONError.Code
    package let line: Int
    package let column: Int
    package let message: String

    package init(_ code: JSONError.Code = .syntax, line: Int, column: Int, _ message: String) {
        self.code = code
        self.line = line
        self.column = column
        self.message = message
    }

    package var description: String { "line \(line), column \(column): \(message)" }
}

extension JSON5Node {
    package subscript(name: String) -> JSON5Node? {
        guard case .object(let members) = value, let index = members.firstIndex(where: { $0.name == name }) else {
            return nil
        }
        return members[index].node
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
