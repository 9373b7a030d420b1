/// Strings, elements and members.
extension JSONView {
    /// The string at a place, unescaped, half a surrogate pair as U+FFFD; nil when something else is there.
    package func string(at place: Int) -> String? {
        guard kind(at: place) == .string else { return nil }
        let isPlain = !hasEscapes(at: place)
        return withBytes(at: place) { inner in
            // The buffer is used within the call only.
            isPlain ? String(validated: inner) : unsafe inner.withUnsafeBytes { unsafe JSONString.unescape($0) }
        }
    }

    /// Appends the unescaped text of the string at a place.
    package func unescape(at place: Int, into text: inout [UInt8]) {
        withBytes(at: place) { inner in
            // The buffer is used within the call only.
            unsafe inner.withUnsafeBytes { unsafe JSONString.unescape($0, into: &text) }
        }
    }

    /// Visits the elements of the array at a place, in order, until one is said to be enough.
    @inlinable
    public func forEachElement(of array: Int, _ body: (Int) -> Bool) {
        guard kind(at: array) == .array else { return }
        let end = Int(entry(at: array).next)
        var place = array + 1
        while place < end, body(place) { place = Int(entry(at: place).next) }
    }

    /// The place of an element, counted from the end below zero; nil when no array is there or it has no such element.
    ///
    /// - Complexity: O(n) in the elements before it.
    package func element(_ index: Int, of array: Int) -> Int? {
        let entry = entry(at: array)
        let index = index < 0 ? entry.count + index : index
        guard entry.kind == .array, (0..<entry.count).contains(index) else { return nil }
        var place = array + 1
        for _ in 0..<index { place = Int(self.entry(at: place).next) }
        return place
    }

    /// The place of a member's value; the last one of a repeated name, compared byte by byte.
    ///
    /// - Complexity: O(n) in the members.
    package func member(_ name: String, of object: Int) -> Int? {
        guard kind(at: object) == .object else { return nil }
        var found: Int?
        let end = Int(entry(at: object).next)
        let count = name.utf8.count + 2
        var place = object + 1
        while place < end {
            let written = entry(at: place)
            if written.hasEscapes ? isString(name, at: place) : written.range.count == count && isText(name, at: place)
            {
                found = place + 1
            }
            place = Int(entry(at: place + 1).next)
        }
        return found
    }

    /// Whether the value at a place is a string of just these bytes.
    package func isString(_ expected: String, at place: Int) -> Bool {
        guard kind(at: place) == .string else { return false }
        if hasEscapes(at: place) { return string(at: place)?.utf8.elementsEqual(expected.utf8) == true }
        return isText(expected, at: place)
    }

    /// Whether the value at a place is written with just these bytes, a string between its quotes.
    package func isText(_ expected: String, at place: Int) -> Bool {
        let expected = expected.utf8.span
        return withBytes(at: place) { bytes in
            guard bytes.count == expected.count else { return false }
            var offset = 0
            while offset < bytes.count, bytes[offset] == expected[offset] { offset += 1 }
            return offset == bytes.count
        }
    }

    /// Visits those members of the object at a place, in order, that have one of a group's names: each with the name's place
    /// among all names and the place of its value.
    ///
    /// Of a repeated name every member is visited. Nothing is visited when no object is there.
    ///
    /// - Complexity: O(n) in the members.
    package func forEachMember(
        of object: Int,
        named names: JSONNames,
        group: Int = 0,
        _ body: (Int, Int) -> Void
    ) {
        guard kind(at: object) == .object else { return }
        let end = Int(entry(at: object).next)
        var place = object + 1
        while place < end {
            let name = entry(at: place)
            let found: Int?
            if name.hasEscapes {
                let unescaped = Array((string(at: place) ?? "").utf8)
                // The buffer is used within the call only.
                found = unsafe unescaped.withUnsafeBytes { unsafe names.place(of: 0..<$0.count, in: $0, group: group) }
            } else {
                // The range lies in the text.
                found = unsafe names.place(of: Int(name.start) + 1..<Int(name.end) - 1, in: text, group: group)
            }
            if let found { body(found, place + 1) }
            place = Int(entry(at: place + 1).next)
        }
    }
}
