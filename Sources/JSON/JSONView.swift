/// Fast access to the values of a document during one call.
///
/// Memory is safe because each index is checked and each entry is within the text.
@safe
package struct JSONView {
    private let text: UnsafeRawBufferPointer
    private let entries: UnsafeBufferPointer<JSONEntry>

    init(text: UnsafeRawBufferPointer, entries: UnsafeBufferPointer<JSONEntry>) {
        unsafe self.text = text
        unsafe self.entries = entries
    }

    func entry(at index: Int) -> JSONEntry {
        // This call reads only the count.
        precondition(unsafe index >= 0 && index < entries.count)
        // The index is below the count, and the document keeps the entries alive.
        return unsafe entries[index]
    }

    package func kind(at index: Int) -> JSONKind { entry(at: index).kind }

    package func range(at index: Int) -> Range<Int> { entry(at: index).range }

    package func hasEscapes(at index: Int) -> Bool { entry(at: index).hasEscapes }

    /// Passes a string without its quotes.
    ///
    /// Its escapes are not decoded.
    package func withBytes<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let entry = entry(at: index)
        let quote = entry.kind == .string ? 1 : 0
        return with(Int(entry.start) + quote..<Int(entry.end) - quote, body)
    }

    package func withWritten<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        with(range(at: index), body)
    }

    @inline(__always)
    private func with<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
        // The range of an entry is within the text.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[range])
        // The text is valid during the call, and the span is not used after it.
        return body(unsafe Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
    }
}

extension JSONDocument {
    package func withView<Result>(_ body: (JSONView) -> Result) -> Result {
        // Both buffers are valid during the calls.
        unsafe storage.bytes.withUnsafeBytes { text in
            unsafe storage.entries.withUnsafeBufferPointer { entries in
                unsafe body(JSONView(text: text, entries: entries))
            }
        }
    }
}

extension JSONView {
    /// Returns nil if the value is not a string.
    ///
    /// Unpaired surrogates become U+FFFD.
    package func string(at index: Int) -> String? {
        guard kind(at: index) == .string else { return nil }
        guard hasEscapes(at: index) else { return withBytes(at: index) { String(validated: $0) } }
        var text: [UInt8] = []
        unescape(at: index, into: &text)
        return String(validated: text.span)
    }

    package func unescape(at index: Int, into text: inout [UInt8]) {
        withBytes(at: index) { inner in
            // The buffer is used only during the call.
            unsafe inner.withUnsafeBytes { unsafe JSONString.unescape($0, into: &text) }
        }
    }

    package func forEachElement(of array: Int, _ body: (Int) -> Bool) {
        guard kind(at: array) == .array else { return }
        let end = Int(entry(at: array).next)
        var index = array + 1
        while index < end, body(index) { index = Int(entry(at: index).next) }
    }

    /// A negative `number` counts from the end.
    package func element(_ number: Int, of array: Int) -> Int? {
        let entry = entry(at: array)
        let number = number < 0 ? entry.count + number : number
        guard entry.kind == .array, (0..<entry.count).contains(number) else { return nil }
        var index = array + 1
        for _ in 0..<number { index = Int(self.entry(at: index).next) }
        return index
    }

    /// Calls `body` with the index of each name.
    ///
    /// The index of its value is one higher.
    @inline(__always)
    package func forEachMember(of object: Int, _ body: (Int) -> Void) {
        let whole = entry(at: object)
        guard whole.kind == .object else { return }
        var index = object + 1
        while index < Int(whole.next) {
            body(index)
            index = Int(entry(at: index + 1).next)
        }
    }

    package func member(_ name: Span<UInt8>, of object: Int) -> Int? {
        var found: Int?
        forEachMember(of: object) { index in
            let isFound =
                hasEscapes(at: index)
                ? string(at: index)?.utf8.span.hasSameBytes(as: name) == true
                : withBytes(at: index) { $0.hasSameBytes(as: name) }
            if isFound { found = index + 1 }
        }
        return found
    }
}
