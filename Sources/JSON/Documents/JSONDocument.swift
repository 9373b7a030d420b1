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

    /// The bytes from the beginning of one value to the end of another that does not stand before it.
    package func text(from first: Int, through last: Int) -> ArraySlice<UInt8> {
        storage.bytes[storage.entries[first].range.lowerBound..<storage.entries[last].range.upperBound]
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
