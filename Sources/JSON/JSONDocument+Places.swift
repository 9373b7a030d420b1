/// Reading values by their places: what maps whole pages uses it, since places count no references as cursors do.
///
/// Places must come from the same document.
extension JSONDocument {
    /// All bytes of the text.
    @inlinable
    package var bytes: [UInt8] { storage.bytes }

    /// The value at a place, and what it contains.
    package func cursor(at place: Int) -> JSONCursor {
        JSONCursor(storage: storage, place: place)
    }

    @inlinable
    package func kind(at place: Int) -> JSONKind { storage.entries[place].kind }

    /// Where the value at a place stands in the text, a string with its quotes.
    @inlinable
    package func range(at place: Int) -> Range<Int> { storage.entries[place].range }

    /// Whether the string at a place must be unescaped; false means that the bytes between its quotes are its text.
    @inlinable
    package func hasEscapes(at place: Int) -> Bool { storage.entries[place].hasEscapes }

    /// The exact bytes of the value at a place as they stand, a string with its quotes.
    package func text(at place: Int) -> ArraySlice<UInt8> { storage.bytes[storage.entries[place].range] }

    /// The string at a place, unescaped, half a surrogate pair as U+FFFD; nil when something else is there.
    package func string(at place: Int) -> String? {
        let entry = storage.entries[place]
        guard entry.kind == .string else { return nil }
        let bytes = storage.bytes
        let inner = bytes.span.extracting(Int(entry.start) + 1..<Int(entry.end) - 1)
        guard entry.hasEscapes else { return String(validated: inner) }
        // The buffer is used within the call only.
        return unsafe inner.withUnsafeBytes { unsafe JSONString.unescape($0) }
    }

    /// Appends the unescaped text of the string at a place.
    package func unescape(at place: Int, into text: inout [UInt8]) {
        let entry = storage.entries[place]
        let bytes = storage.bytes
        let inner = bytes.span.extracting(Int(entry.start) + 1..<Int(entry.end) - 1)
        // The buffer is used within the call only.
        unsafe inner.withUnsafeBytes { unsafe JSONString.unescape($0, into: &text) }
    }

    /// Visits the elements of the array at a place, in order, until one is said to be enough.
    package func forEachElement(of array: Int, _ body: (Int) -> Bool) {
        let entries = storage.entries
        guard entries[array].kind == .array else { return }
        let end = Int(entries[array].next)
        var place = array + 1
        while place < end, body(place) { place = Int(entries[place].next) }
    }

    /// The place of an element, counted from the end below zero; nil when no array is there or it has no such element.
    ///
    /// - Complexity: O(n) in the elements before it.
    package func element(_ index: Int, of array: Int) -> Int? {
        let entry = storage.entries[array]
        let index = index < 0 ? entry.count + index : index
        guard entry.kind == .array, (0..<entry.count).contains(index) else { return nil }
        var place = array + 1
        for _ in 0..<index { place = Int(storage.entries[place].next) }
        return place
    }

    /// The place of a member's value; the last one of a repeated name, compared byte by byte.
    ///
    /// - Complexity: O(n) in the members.
    package func member(_ name: String, of object: Int) -> Int? {
        guard storage.entries[object].kind == .object else { return nil }
        var found: Int?
        let end = Int(storage.entries[object].next)
        var place = object + 1
        while place < end {
            if isString(name, at: place) { found = place + 1 }
            place = Int(storage.entries[place + 1].next)
        }
        return found
    }

    /// Whether the value at a place is a string of just these bytes.
    package func isString(_ expected: String, at place: Int) -> Bool {
        let entry = storage.entries[place]
        guard entry.kind == .string else { return false }
        if entry.hasEscapes { return string(at: place)?.utf8.elementsEqual(expected.utf8) == true }
        let expected = expected.utf8.span
        guard entry.range.count - 2 == expected.count else { return false }
        let start = Int(entry.start) + 1
        for offset in 0..<expected.count where storage.bytes[start + offset] != expected[offset] { return false }
        return true
    }
}
