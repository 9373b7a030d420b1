/// One value of a document; cheap to copy.
package struct JSONCursor: Sendable {
    let storage: JSONDocument.Storage
    /// Index of the value's entry, which `JSONView` takes too.
    package let index: Int

    /// The document that holds it.
    package var document: JSONDocument { JSONDocument(storage) }

    private var entry: JSONEntry { storage.entries[index] }

    package var kind: JSONKind { entry.kind }

    package var isNull: Bool { kind == .null }

    package var bool: Bool? {
        kind == .bool ? storage.bytes[Int(entry.start)] == UInt8(ascii: "t") : nil
    }

    /// The text of a string, unescaped; half a surrogate pair is U+FFFD.
    package var string: String? { document.string(at: index) }

    package var number: JSONNumber? {
        kind == .number ? JSONNumber(validatedText: String(decoding: text, as: UTF8.self)) : nil
    }

    /// A number that is written as an integer and fits.
    package var int: Int? { number?.int }

    package var double: Double? { number?.double }

    /// How many elements or members there are; 0 for a scalar.
    package var count: Int { entry.count }

    /// The exact bytes of this value as they stand, a string with its quotes.
    package var text: ArraySlice<UInt8> { storage.bytes[entry.range] }

    /// The value of a member; the last one of a repeated name, compared byte by byte.
    ///
    /// - Complexity: O(n) in the members.
    package subscript(name: String) -> JSONCursor? {
        document.member(name, of: index).map { JSONCursor(storage: storage, index: $0) }
    }

    /// An element of an array; nil when it is no array or has no such element.
    ///
    /// - Complexity: O(n) in the elements before it.
    package subscript(number: Int) -> JSONCursor? {
        number < 0 ? nil : document.element(number, of: index).map { JSONCursor(storage: storage, index: $0) }
    }

    /// Visits the elements of an array in order; nothing when it is no array.
    package func forEachElement(_ body: (JSONCursor) throws -> Void) rethrows {
        guard kind == .array else { return }
        let end = Int(entry.next)
        var index = index + 1
        while index < end {
            try body(JSONCursor(storage: storage, index: index))
            index = Int(storage.entries[index].next)
        }
    }

    /// Visits the members of an object in order, repeated names included; nothing when it is no object.
    package func forEachMember(_ body: (String, JSONCursor) throws -> Void) rethrows {
        guard kind == .object else { return }
        let end = Int(entry.next)
        var index = index + 1
        while index < end {
            let name = JSONCursor(storage: storage, index: index)
            try body(name.string ?? "", JSONCursor(storage: storage, index: index + 1))
            index = Int(storage.entries[index + 1].next)
        }
    }
}

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
