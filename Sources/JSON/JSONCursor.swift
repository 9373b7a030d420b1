/// A value of a document; a copy copies only a reference and an index.
package struct JSONCursor: Sendable {
    let storage: JSONDocument.Storage
    package let index: Int

    package var document: JSONDocument { JSONDocument(storage) }

    private var entry: JSONEntry { storage.entries[index] }

    package var kind: JSONKind { entry.kind }

    package var isNull: Bool { kind == .null }

    package var bool: Bool? {
        kind == .bool ? storage.bytes[Int(entry.start)] == UInt8(ascii: "t") : nil
    }

    /// The unescaped text of a string; an unpaired surrogate becomes U+FFFD.
    package var string: String? { document.withView { $0.string(at: index) } }

    package var number: JSONNumber? {
        kind == .number ? JSONNumber(validatedText: String(decoding: text, as: UTF8.self)) : nil
    }

    package var int: Int? { number?.int }

    package var double: Double? { number?.double }

    /// The number of elements or members, or 0 for a scalar.
    package var count: Int { entry.count }

    /// The exact bytes of the value, including the quotes of a string.
    package var text: ArraySlice<UInt8> { storage.bytes[entry.range] }

    /// The value of the last member with exactly these bytes as its name, found in O(n).
    package subscript(name: String) -> JSONCursor? {
        document.withView { $0.member(name.utf8.span, of: index) }.map { JSONCursor(storage: storage, index: $0) }
    }

    /// The element at a position, found in O(n), or nil if the position is out of range.
    package subscript(number: Int) -> JSONCursor? {
        guard number >= 0, let element = document.withView({ $0.element(number, of: index) }) else { return nil }
        return JSONCursor(storage: storage, index: element)
    }

    /// The elements of an array in order, or an empty array for other values.
    package var elements: [JSONCursor] {
        document.elements(at: index).map { JSONCursor(storage: storage, index: $0) }
    }

    /// The members of an object in order, including repeated names, or an empty array for other values.
    package var members: [(name: String, value: JSONCursor)] {
        guard kind == .object else { return [] }
        var members: [(name: String, value: JSONCursor)] = []
        members.reserveCapacity(count)
        document.withView { view in
            view.forEachMember(of: index) { name in
                members.append((view.string(at: name) ?? "", JSONCursor(storage: storage, index: name + 1)))
            }
        }
        return members
    }

    /// The value as a tree; the depth limit of the document also limits the recursion.
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
