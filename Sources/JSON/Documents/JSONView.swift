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
