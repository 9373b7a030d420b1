/// A place in a document; cheap to copy.
package struct JSONCursor: Sendable {
    let storage: JSONDocument.Storage
    /// Index of the value's entry.
    let place: Int

    private var entry: JSONEntry { storage.entries[place] }

    package var kind: JSONKind { entry.kind }

    package var isNull: Bool { kind == .null }

    package var bool: Bool? {
        kind == .bool ? storage.bytes[Int(entry.start)] == UInt8(ascii: "t") : nil
    }

    /// The text of a string, unescaped; half a surrogate pair is U+FFFD.
    package var string: String? {
        let entry = entry
        guard entry.kind == .string else { return nil }
        let inner = storage.bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
        return entry.hasEscapes ? JSONString.unescape(inner) : String(decoding: inner, as: UTF8.self)
    }

    /// The bytes of a string in which nothing is escaped; nil of every other value.
    package var plainBytes: ArraySlice<UInt8>? {
        let entry = entry
        guard entry.kind == .string, !entry.hasEscapes else { return nil }
        return storage.bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
    }

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
        guard kind == .object else { return nil }
        var found: JSONCursor?
        let end = Int(entry.next)
        var place = place + 1
        while place < end {
            let member = JSONCursor(storage: storage, place: place)
            let value = JSONCursor(storage: storage, place: place + 1)
            if member.isString(name) { found = value }
            place = Int(value.entry.next)
        }
        return found
    }

    private func isString(_ expected: String) -> Bool {
        if entry.hasEscapes {
            return string?.utf8.elementsEqual(expected.utf8) == true
        }
        return text.count - 2 == expected.utf8.count && text.dropFirst().dropLast().elementsEqual(expected.utf8)
    }

    /// An element of an array; nil when it is no array or has no such element.
    ///
    /// - Complexity: O(n) in the elements before it.
    package subscript(index: Int) -> JSONCursor? {
        guard kind == .array, (0..<count).contains(index) else { return nil }
        var place = place + 1
        for _ in 0..<index { place = Int(storage.entries[place].next) }
        return JSONCursor(storage: storage, place: place)
    }

    /// Visits the elements of an array in order; nothing when it is no array.
    package func forEachElement(_ body: (JSONCursor) throws -> Void) rethrows {
        guard kind == .array else { return }
        let end = Int(entry.next)
        var place = place + 1
        while place < end {
            try body(JSONCursor(storage: storage, place: place))
            place = Int(storage.entries[place].next)
        }
    }

    /// Visits the members of an object in order, repeated names included; nothing when it is no object.
    package func forEachMember(_ body: (String, JSONCursor) throws -> Void) rethrows {
        guard kind == .object else { return }
        let end = Int(entry.next)
        var place = place + 1
        while place < end {
            let name = JSONCursor(storage: storage, place: place)
            try body(name.string ?? "", JSONCursor(storage: storage, place: place + 1))
            place = Int(storage.entries[place + 1].next)
        }
    }
}
