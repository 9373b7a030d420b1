extension JSONCursor {
    package var elements: [JSONCursor] {
        var elements: [JSONCursor] = []
        elements.reserveCapacity(kind == .array ? count : 0)
        forEachElement { elements.append($0) }
        return elements
    }

    /// In the order of the text, repeated names included.
    package var members: [(name: String, value: JSONCursor)] {
        var members: [(name: String, value: JSONCursor)] = []
        members.reserveCapacity(kind == .object ? count : 0)
        forEachMember { members.append((name: $0, value: $1)) }
        return members
    }

    /// The value as a tree; built by recursion, as deep as the document's limit at most.
    package var value: JSONValue {
        switch kind {
        case .null: .null
        case .bool: .bool(bool ?? false)
        case .number: number.map(JSONValue.number) ?? .null
        case .string: .string(string ?? "")
        case .array: .array(elements.map(\.value))
        case .object: .object(members.map { JSONMember($0.name, $0.value.value) })
        }
    }
}
