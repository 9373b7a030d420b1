/// A valid JSON text and its index, immutable and shared by all its cursors.
package struct JSONDocument: Sendable {
    /// What cursors hold on to: one reference, so that a cursor is cheap to copy.
    final class Storage: Sendable {
        let bytes: [UInt8]
        let entries: [JSONEntry]

        init(bytes: [UInt8], entries: [JSONEntry]) {
            self.bytes = bytes
            self.entries = entries
        }
    }
    let storage: Storage

    package init(_ bytes: [UInt8], limits: JSONLimits = .document) throws(JSONError) {
        var index = JSONIndex(limits: limits)
        try index.index(bytes)
        storage = Storage(bytes: bytes, entries: index.entries)
    }

    init(_ storage: Storage) {
        self.storage = storage
    }

    package var root: JSONCursor {
        JSONCursor(storage: storage, index: 0)
    }
}

/// Single values by their indices, which must come from the same document; `withView` reads many.
extension JSONDocument {
    /// The value at an index, and what it contains.
    package func cursor(at index: Int) -> JSONCursor {
        JSONCursor(storage: storage, index: index)
    }

    /// The exact bytes of the value at an index as they stand, a string with its quotes.
    package func text(at index: Int) -> ArraySlice<UInt8> { storage.bytes[storage.entries[index].range] }

    /// The indices of an array's elements; none when something else is there.
    package func elements(at index: Int) -> [Int] {
        withView { view in
            var elements: [Int] = []
            elements.reserveCapacity(storage.entries[index].count)
            view.forEachElement(of: index) { element in
                elements.append(element)
                return true
            }
            return elements
        }
    }

    /// The string at an index, unescaped, half a surrogate pair as U+FFFD; nil when something else is there.
    package func string(at index: Int) -> String? { withView { $0.string(at: index) } }

    /// The index of an element, counted from the end below zero; nil when no array is there or it has no such element.
    ///
    /// - Complexity: O(n) in the elements before it.
    package func element(_ index: Int, of array: Int) -> Int? { withView { $0.element(index, of: array) } }

    /// The index of a member's value; the last one of a repeated name, compared byte by byte.
    ///
    /// - Complexity: O(n) in the members.
    package func member(_ name: String, of object: Int) -> Int? { withView { $0.member(name, of: object) } }
}

/// One value, or one member name, of an indexed text: 16 bytes that say where it is and what follows it.
///
/// Entries stand in the order of the text. An array's or object's entry is followed by those of its contents; a member
/// is a string entry for the name, then the entries of the value.
public struct JSONEntry: Equatable, Sendable {
    /// Offset of the value's first byte; of a string, its opening quote.
    @usableFromInline
    package internal(set) var start: UInt32
    /// Offset past the value's last byte; of a string, past its closing quote.
    @usableFromInline
    package internal(set) var end: UInt32
    /// Index of the entry after this value and all it contains.
    ///
    /// While the scanner has a container open, this holds the container around it instead.
    @usableFromInline
    package internal(set) var next: UInt32
    /// Bits 0–2 the kind, bit 3 whether a string has escapes, bits 4–31 the number of elements or members.
    @usableFromInline
    var tag: UInt32

    static let escapesBit: UInt32 = 1 << 3
    static let oneElement: UInt32 = 1 << 4

    init(_ kind: JSONKind, start: Int, end: Int, next: Int, hasEscapes: Bool = false) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        self.next = UInt32(truncatingIfNeeded: next)
        tag = UInt32(kind.rawValue) | (hasEscapes ? Self.escapesBit : 0)
    }

    @inlinable
    public var kind: JSONKind {
        switch tag & 7 {
        case 0: .null
        case 1: .bool
        case 2: .number
        case 3: .string
        case 4: .array
        default: .object
        }
    }

    /// Whether a string must be unescaped; false means that the bytes between its quotes are its text.
    @inlinable
    public var hasEscapes: Bool { tag & 8 != 0 }

    /// How many elements an array, or members an object, has.
    @inlinable
    public var count: Int { Int(tag >> 4) }

    /// Where the value stands in the text, a string with its quotes.
    @inlinable
    public var range: Range<Int> { Int(start)..<Int(end) }
}

/// The six kinds of value of RFC 8259.
public enum JSONKind: UInt8, Equatable, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object

    /// Written out, since the inlinable members of `JSONView` compare kinds in other rooms.
    @inlinable
    public static func == (left: JSONKind, right: JSONKind) -> Bool {
        switch (left, right) {
        case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array),
            (.object, .object):
            true
        default: false
        }
    }

    @inlinable
    public static func != (left: JSONKind, right: JSONKind) -> Bool { !(left == right) }
}

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
