/// A reference to one value in a JSON document.
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

    package var string: String? { document.withView { $0.string(at: index) } }

    package var number: JSONNumber? {
        kind == .number ? JSONNumber(validatedText: String(decoding: text, as: UTF8.self)) : nil
    }

    package var int: Int? { number?.int }

    package var double: Double? { number?.double }

    package var count: Int { entry.count }

    package var text: ArraySlice<UInt8> { storage.bytes[entry.range] }

    /// Returns the last member with this name, in O(n).
    package subscript(name: String) -> JSONCursor? {
        document.withView { $0.member(name.utf8.span, of: index) }.map { JSONCursor(storage: storage, index: $0) }
    }

    package subscript(number: Int) -> JSONCursor? {
        guard number >= 0, let element = document.withView({ $0.element(number, of: index) }) else { return nil }
        return JSONCursor(storage: storage, index: element)
    }

    package var elements: [JSONCursor] {
        document.elements(at: index).map { JSONCursor(storage: storage, index: $0) }
    }

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
