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

    /// The same, unless one of the names is written with more bytes than that; then nil, before any is read.
    package func members(nameBytesMax: Int) -> [(name: String, value: JSONCursor)]? {
        guard kind == .object else { return [] }
        var index = index + 1
        let end = Int(storage.entries[self.index].next)
        while index < end {
            // The quotes are not part of it.
            guard storage.entries[index].range.count <= nameBytesMax + 2 else { return nil }
            index = Int(storage.entries[index + 1].next)
        }
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
