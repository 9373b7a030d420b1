/// A document's text and entries, lent for one call: reading through it counts no references, which mapping a page
/// needs.
///
/// Public and inlinable, with the entries it reads: its members are called for every value of a page, and this compiler
/// specialises no generic member of package access in another room. Without it decoding costs 2 to 7 % more.
///
/// Values are named by their indices, which must come from the same document; any other traps or shows another value.
/// Invariant: the entries stand for the text, so that their ranges lie in it.
@safe
public struct JSONView {
    @usableFromInline
    let text: UnsafeRawBufferPointer
    @usableFromInline
    let entries: UnsafeBufferPointer<JSONEntry>

    init(text: UnsafeRawBufferPointer, entries: UnsafeBufferPointer<JSONEntry>) {
        unsafe self.text = text
        unsafe self.entries = entries
    }

    @inlinable
    func entry(at index: Int) -> JSONEntry {
        // Only the count is read.
        precondition(unsafe index >= 0 && index < entries.count)
        // Below the count; the document keeps its entries as long as it lends them.
        return unsafe entries[index]
    }

    @inlinable
    public func kind(at index: Int) -> JSONKind { entry(at: index).kind }

    /// Where the value at an index stands in the text, a string with its quotes.
    @inlinable
    public func range(at index: Int) -> Range<Int> { entry(at: index).range }

    /// Whether the string at an index must be unescaped; false means that the bytes between its quotes are its text.
    @inlinable
    public func hasEscapes(at index: Int) -> Bool { entry(at: index).hasEscapes }

    /// Lends the bytes of the value at an index, a string's without its quotes and as they are escaped.
    @inlinable
    public func withBytes<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let entry = entry(at: index)
        let quote = entry.kind == .string ? 1 : 0
        // An entry's range lies in the text.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[Int(entry.start) + quote..<Int(entry.end) - quote])
        // The text lives through the call, and the span doesn't outlive it.
        return body(unsafe Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
    }

    /// Lends the exact bytes of the value at an index, a string's with its quotes.
    @inlinable
    public func withWritten<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        // An entry's range lies in the text.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[range(at: index)])
        // The text lives through the call, and the span doesn't outlive it.
        return body(unsafe Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
    }
}

extension JSONDocument {
    /// Lends the document's memory for a call, which must not keep it.
    package func withView<Result>(_ body: (JSONView) -> Result) -> Result {
        // Both buffers live as long as the calls.
        unsafe storage.bytes.withUnsafeBytes { text in
            unsafe storage.entries.withUnsafeBufferPointer { entries in
                unsafe body(JSONView(text: text, entries: entries))
            }
        }
    }
}

/// Strings, elements and members.
extension JSONView {
    /// The string at an index, unescaped, half a surrogate pair as U+FFFD; nil when something else is there.
    package func string(at index: Int) -> String? {
        guard kind(at: index) == .string else { return nil }
        let isPlain = !hasEscapes(at: index)
        return withBytes(at: index) { inner in
            // The buffer is used within the call only.
            isPlain ? String(validated: inner) : unsafe inner.withUnsafeBytes { unsafe JSONString.unescape($0) }
        }
    }

    /// Appends the unescaped text of the string at an index.
    package func unescape(at index: Int, into text: inout [UInt8]) {
        withBytes(at: index) { inner in
            // The buffer is used within the call only.
            unsafe inner.withUnsafeBytes { unsafe JSONString.unescape($0, into: &text) }
        }
    }

    /// Visits the elements of the array at an index, in order, until `body` returns false.
    @inlinable
    public func forEachElement(of array: Int, _ body: (Int) -> Bool) {
        guard kind(at: array) == .array else { return }
        let end = Int(entry(at: array).next)
        var index = array + 1
        while index < end, body(index) { index = Int(entry(at: index).next) }
    }

    /// The index of an element, counted from the end below zero; nil when no array is there or it has no such element.
    ///
    /// - Complexity: O(n) in the elements before it.
    package func element(_ number: Int, of array: Int) -> Int? {
        let entry = entry(at: array)
        let number = number < 0 ? entry.count + number : number
        guard entry.kind == .array, (0..<entry.count).contains(number) else { return nil }
        var index = array + 1
        for _ in 0..<number { index = Int(self.entry(at: index).next) }
        return index
    }

    /// The index of a member's value; the last one of a repeated name, compared byte by byte.
    ///
    /// - Complexity: O(n) in the members.
    package func member(_ name: String, of object: Int) -> Int? {
        guard kind(at: object) == .object else { return nil }
        var found: Int?
        let end = Int(entry(at: object).next)
        let wanted = name.utf8.span
        var index = object + 1
        while index < end {
            let written = entry(at: index)
            if written.hasEscapes ? isString(name, at: index) : isSame(written, wanted) { found = index + 1 }
            index = Int(entry(at: index + 1).next)
        }
        return found
    }

    /// Whether a string without escapes is just these bytes.
    @inline(__always)
    private func isSame(_ string: JSONEntry, _ wanted: Span<UInt8>) -> Bool {
        let start = Int(string.start) + 1
        guard Int(string.end) - start - 1 == wanted.count else { return false }
        for offset in wanted.indices {
            // The range lies in the text.
            guard unsafe text[start + offset] == wanted[unchecked: offset] else { return false }
        }
        return true
    }

    /// Whether the value at an index is a string of just these bytes.
    package func isString(_ expected: String, at index: Int) -> Bool {
        guard kind(at: index) == .string else { return false }
        if hasEscapes(at: index) { return string(at: index)?.utf8.elementsEqual(expected.utf8) == true }
        return isText(expected, at: index)
    }

    /// Whether the value at an index is written with just these bytes, a string between its quotes.
    package func isText(_ expected: String, at index: Int) -> Bool {
        let expected = expected.utf8.span
        return withBytes(at: index) { bytes in
            guard bytes.count == expected.count else { return false }
            var offset = 0
            while offset < bytes.count, bytes[offset] == expected[offset] { offset += 1 }
            return offset == bytes.count
        }
    }
}
