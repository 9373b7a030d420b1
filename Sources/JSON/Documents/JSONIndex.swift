/// A validator of one JSON text after another that leaves behind where every value is.
///
/// RFC 8259 to the letter, in one pass and without recursion; UTF-8 is checked on the way. The entries live in a tape
/// that is kept from text to text, so that a warm index allocates nothing.
package struct JSONIndex: Sendable {
    /// A tape longer than this is given back once the texts are small again.
    static let entriesKeptMax = 4096
    private static let entriesAtFirst = 64

    @usableFromInline
    var tape: [JSONEntry]
    /// How many entries the last text has; 0 when it was refused.
    package private(set) var count = 0
    private let limits: JSONLimits

    package init(limits: JSONLimits) {
        self.limits = limits
        tape = Self.emptyTape(Self.entriesAtFirst)
    }

    /// Validates a text and replaces the entries by its own; the first is the root.
    ///
    /// - Complexity: O(n) in the bytes of the text; no allocation unless the text has more entries than any before.
    package mutating func index(_ text: UnsafeRawBufferPointer) throws(JSONError) {
        count = 0
        let length = text.count
        guard length <= limits.bytesMax else {
            throw JSONError.tooLong(limits)
        }
        if tape.count > Self.entriesKeptMax, length < Self.entriesKeptMax {
            tape = Self.emptyTape(Self.entriesAtFirst)
        }
        var scanner: JSONScanner?
        while true {
            let outcome = unsafe tape.withUnsafeMutableBufferPointer { tape in
                // The pass leaves before the two closures' buffers do, and keeps within their counts.
                unsafe JSONScanner.advance(&scanner, over: text, onto: tape, depthMax: limits.depthMax)
            }
            switch outcome {
            case .indexed(let entries):
                count = entries
                return
            case .tapeFull: tape += Self.emptyTape(tape.count)
            case .refused(let error): throw error
            }
        }
    }

    /// Validates and indexes the bytes of an array.
    package mutating func index(_ bytes: [UInt8]) throws(JSONError) {
        // The pointer doesn't leave the call.
        try unsafe bytes.span.withUnsafeBytes { (text) throws(JSONError) in try unsafe index(text) }
    }

    /// The entry at a place below `count`.
    @inlinable
    package subscript(position: Int) -> JSONEntry {
        tape[position]
    }

    /// All entries of the last text.
    ///
    /// A copy that outlives the next `index` costs that call a new tape.
    package var entries: ArraySlice<JSONEntry> {
        tape[..<count]
    }

    private static func emptyTape(_ count: Int) -> [JSONEntry] {
        [JSONEntry](repeating: JSONEntry(.null, start: 0, end: 0, next: 0), count: count)
    }
}
