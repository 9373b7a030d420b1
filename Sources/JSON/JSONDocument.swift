/// A valid JSON text and the positions of its values.
package struct JSONDocument: Sendable {
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

extension JSONDocument {
    package func cursor(at index: Int) -> JSONCursor {
        JSONCursor(storage: storage, index: index)
    }

    package func text(at index: Int) -> ArraySlice<UInt8> { storage.bytes[storage.entries[index].range] }

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
}

/// The position of a value or a member name.
///
/// Entries are in the order of the text. A name is before its value.
package struct JSONEntry: Equatable, Sendable {
    package internal(set) var start: UInt32
    package internal(set) var end: UInt32
    /// The index of the first entry after this value and its parts.
    ///
    /// While the scanner is inside this array or object, it is the index of the parent.
    package internal(set) var next: UInt32
    /// Bits 0–2: the kind.
    ///
    /// Bit 3: whether a string has escapes. Bits 4–31: the number of elements or members.
    var tag: UInt32

    static let escapesBit: UInt32 = 1 << 3
    static let oneElement: UInt32 = 1 << 4

    init(_ kind: JSONKind, start: Int, end: Int, next: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        self.next = UInt32(truncatingIfNeeded: next)
        tag = UInt32(kind.rawValue)
    }

    package var kind: JSONKind { JSONKind(rawValue: UInt8(tag & 7)) ?? .null }

    package var hasEscapes: Bool { tag & Self.escapesBit != 0 }

    package var count: Int { Int(tag >> 4) }

    package var range: Range<Int> { Int(start)..<Int(end) }
}

package enum JSONKind: UInt8, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object
}

/// Validates JSON texts and finds the positions of all values.
///
/// Reuses its memory for each text.
package struct JSONIndex: Sendable {
    private static let entriesKeptMax = 4096
    private static let bytesPerEntry = 8

    package private(set) var entries: [JSONEntry] = []
    private let limits: JSONLimits

    package init(limits: JSONLimits) {
        self.limits = limits
    }

    package mutating func index(_ text: UnsafeRawBufferPointer) throws(JSONError) {
        entries.removeAll(keepingCapacity: true)
        guard text.count <= limits.bytesMax else { throw JSONError.tooLong(limits) }
        if entries.capacity > Self.entriesKeptMax, text.count < Self.entriesKeptMax { entries = [] }
        // The text is valid while the scanner is used.
        var scanner = unsafe JSONScanner(text, limits: limits, entries: entries)
        // Release this reference, or the scanner would copy the array.
        entries = []
        scanner.entries.reserveCapacity(min(text.count / Self.bytesPerEntry + 2, limits.entriesMax))
        do throws(JSONRefusal) {
            try scanner.scan()
        } catch {
            throw scanner.error(error)
        }
        entries = scanner.entries
    }

    package mutating func index(_ bytes: [UInt8]) throws(JSONError) {
        // The pointer is used only during the call.
        try unsafe bytes.span.withUnsafeBytes { (text) throws(JSONError) in try unsafe index(text) }
    }

    package var count: Int { entries.count }

    package subscript(position: Int) -> JSONEntry { entries[position] }
}
