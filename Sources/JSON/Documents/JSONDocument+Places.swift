/// Reading single values by their places, which must come from the same document; who reads many has `withView`.
extension JSONDocument {
    /// The value at a place, and what it contains.
    package func cursor(at place: Int) -> JSONCursor {
        JSONCursor(storage: storage, place: place)
    }

    /// The exact bytes of the value at a place as they stand, a string with its quotes.
    package func text(at place: Int) -> ArraySlice<UInt8> { storage.bytes[storage.entries[place].range] }

    /// The places of an array's elements; none when something else is there.
    package func elements(at place: Int) -> [Int] {
        withView { view in
            var elements: [Int] = []
            elements.reserveCapacity(storage.entries[place].count)
            view.forEachElement(of: place) { element in
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

    /// The string at a place, unescaped, half a surrogate pair as U+FFFD; nil when something else is there.
    package func string(at place: Int) -> String? { withView { $0.string(at: place) } }

    /// The place of an element, counted from the end below zero; nil when no array is there or it has no such element.
    ///
    /// - Complexity: O(n) in the elements before it.
    package func element(_ index: Int, of array: Int) -> Int? { withView { $0.element(index, of: array) } }

    /// The place of a member's value; the last one of a repeated name, compared byte by byte.
    ///
    /// - Complexity: O(n) in the members.
    package func member(_ name: String, of object: Int) -> Int? { withView { $0.member(name, of: object) } }
}
