/// A value of a hand-written file that knows where it stands, so that whoever checks it can point there.
package struct JSON5Node: Sendable {
    package enum Value: Sendable {
        case null
        case bool(Bool)
        /// In JSON's spelling, whatever the file's: hexadecimal and a bare decimal point are gone.
        case number(JSONNumber)
        case string(String)
        case array([JSON5Node])
        /// In the order of the file; no name stands twice.
        case object([JSON5Member])
    }

    package let value: Value
    /// Of the value's first character, from 1.
    package let line: Int
    /// Of the value's first character, from 1, in Unicode scalars.
    package let column: Int

    package init(_ value: Value, line: Int, column: Int) {
        self.value = value
        self.line = line
        self.column = column
    }

    /// The value without its places.
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

/// A member of an object in a hand-written file, and where its name stands.
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
