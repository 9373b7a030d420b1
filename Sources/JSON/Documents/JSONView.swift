/// A document's text and entries, lent for one call: what maps whole pages reads through it, since it counts no references.
///
/// Public, and its members with it: of what has package access this compiler inlines nothing in other rooms, and here
/// that would be a call for every byte or two.
///
/// Values are named by their places, which must come from the same document; any other traps or shows another value.
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
    func entry(at place: Int) -> JSONEntry {
        // Only the count is read.
        precondition(unsafe place >= 0 && place < entries.count)
        // Below the count; the document keeps its entries as long as it lends them.
        return unsafe entries[place]
    }

    @inlinable
    public func kind(at place: Int) -> JSONKind { entry(at: place).kind }

    /// Where the value at a place stands in the text, a string with its quotes.
    @inlinable
    public func range(at place: Int) -> Range<Int> { entry(at: place).range }

    /// Whether the string at a place must be unescaped; false means that the bytes between its quotes are its text.
    @inlinable
    public func hasEscapes(at place: Int) -> Bool { entry(at: place).hasEscapes }

    /// Lends the bytes of the value at a place, a string's without its quotes and as they are escaped.
    @inlinable
    public func withBytes<Result>(at place: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let entry = entry(at: place)
        let quote = entry.kind == .string ? 1 : 0
        // An entry's range lies in the text.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[Int(entry.start) + quote..<Int(entry.end) - quote])
        // The text lives through the call, and the span doesn't outlive it.
        return body(unsafe Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
    }

    /// Lends the exact bytes of the value at a place, a string's with its quotes.
    @inlinable
    public func withWritten<Result>(at place: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        // An entry's range lies in the text.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[range(at: place)])
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
