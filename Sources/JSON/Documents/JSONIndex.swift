/// A validator of one JSON text after another that records where every value is.
///
/// RFC 8259 to the letter, in one pass and without recursion; UTF-8 is checked on the way. The entries live in an array
/// that keeps its memory from text to text, so that a warm index allocates nothing.
package struct JSONIndex: Sendable {
    /// Memory for more entries than this is freed once the texts are small again.
    private static let entriesKeptMax = 4096
    /// A text with more values than one for so many bytes costs another pass.
    private static let bytesPerEntry = 8

    /// The entries of the last text, the root first; empty when it was refused.
    package private(set) var entries: [JSONEntry] = []
    private let limits: JSONLimits

    package init(limits: JSONLimits) {
        self.limits = limits
    }

    /// Validates a text and replaces the entries by its own.
    ///
    /// - Complexity: O(n) in the bytes of the text; no allocation unless the text has more entries than any before.
    package mutating func index(_ text: UnsafeRawBufferPointer) throws(JSONError) {
        entries.removeAll(keepingCapacity: true)
        guard text.count <= limits.bytesMax else { throw JSONError.tooLong(limits) }
        if entries.capacity > Self.entriesKeptMax, text.count < Self.entriesKeptMax { entries = [] }
        // Room for a name and a value at least.
        var capacity = max(entries.capacity, text.count / Self.bytesPerEntry + 2)
        while true {
            let outcome = unsafe scan(text, capacity: capacity)
            if case .tapeFull = outcome, capacity <= limits.entriesMax {
                capacity *= 4
                continue
            }
            if case .indexed = outcome, entries.count <= limits.entriesMax { return }
            entries.removeAll(keepingCapacity: true)
            if case .refused(let error) = outcome { throw error }
            throw JSONError.tooManyEntries(limits)
        }
    }

    /// Fills the empty array with the entries of a text, if they fit.
    private mutating func scan(_ text: UnsafeRawBufferPointer, capacity: Int) -> JSONScanner.Outcome {
        var outcome = JSONScanner.Outcome.tapeFull
        entries.append(addingCapacity: capacity) { output in
            unsafe output.withUnsafeMutableBufferPointer { tape, count in
                // The pass leaves before the buffers do, keeps within their counts and writes the entries it counts.
                var scanner = unsafe JSONScanner(text: text, tape: tape, depthMax: limits.depthMax)
                outcome = scanner.scan()
                if case .indexed = outcome { count = scanner.count }
            }
        }
        return outcome
    }

    /// Validates and indexes the bytes of an array.
    package mutating func index(_ bytes: [UInt8]) throws(JSONError) {
        // The pointer doesn't leave the call.
        try unsafe bytes.span.withUnsafeBytes { (text) throws(JSONError) in try unsafe index(text) }
    }

    /// How many entries the last text has; 0 when it was refused.
    package var count: Int { entries.count }

    package subscript(position: Int) -> JSONEntry { entries[position] }
}
