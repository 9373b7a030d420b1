import CBytes

/// The members of an object that this program has written itself, looked through without an index.
///
/// For a member or two of a short text; what comes from elsewhere is a `JSONDocument`. Names and strings are given by
/// the places of their bytes, with their quotes.
package enum JSONText {
    /// Visits the members in order, each with the places of its name and of its value, until one is said to be enough.
    ///
    /// The text is a valid object without blanks between its tokens, or empty; any other traps or shows members that are
    /// none.
    ///
    /// - Complexity: O(n) in the bytes up to the last member that is visited, sixteen at a time in strings.
    package static func forEachMember(of object: Span<UInt8>, _ body: (Range<Int>, Range<Int>) -> Bool) {
        var place = 1
        while place + 1 < object.count {
            let name = place..<stringEnd(object, from: place)
            let value = name.upperBound + 1..<valueEnd(object, from: name.upperBound + 1)
            guard body(name, value) else { return }
            // Behind the comma or the bracket.
            place = value.upperBound + 1
        }
    }

    /// Whether the value at a place is a string of just these bytes, none of which would need an escape.
    package static func isString(_ expected: StaticString, at place: Range<Int>, of object: Span<UInt8>) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard place.count == count + 2, object[place.lowerBound] == UInt8(ascii: "\"") else { return false }
        for offset in 0..<count {
            // The offset is below the literal's length.
            guard unsafe object[place.lowerBound + 1 + offset] == expected.utf8Start[offset] else { return false }
        }
        return true
    }

    /// The string at a place, unescaped; nil when something else is there.
    package static func string(at place: Range<Int>, of object: Span<UInt8>) -> String? {
        guard object[place.lowerBound] == UInt8(ascii: "\"") else { return nil }
        // The buffer is used within the call only.
        return unsafe object.extracting(place.lowerBound + 1..<place.upperBound - 1).withUnsafeBytes {
            unsafe JSONString.unescape($0)
        }
    }

    /// Past the string that begins at a quote.
    private static func stringEnd(_ text: Span<UInt8>, from start: Int) -> Int {
        var place = start + 1
        while true {
            if place + 16 <= text.count {
                // The buffer is read within the call; sixteen bytes are there.
                let found = unsafe text.withUnsafeBytes { text in
                    guard let address = text.baseAddress else { return UInt32(0) }
                    return unsafe bytes_escapable(address + place)
                }
                place += found == 0 ? 16 : found.trailingZeroBitCount
                guard found != 0 else { continue }
            }
            if text[place] == UInt8(ascii: "\"") { return place + 1 }
            place += text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
    }

    /// Past the value that begins at a place.
    private static func valueEnd(_ text: Span<UInt8>, from start: Int) -> Int {
        var place = start
        var depth = 0
        while true {
            switch text[place] {
            case UInt8(ascii: "\""):
                place = stringEnd(text, from: place)
                if depth == 0 { return place }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                place += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                // Of the object around a number or word, which ended before.
                if depth == 0 { return place }
                depth -= 1
                place += 1
                if depth == 0 { return place }
            case UInt8(ascii: ",") where depth == 0: return place
            default: place += 1
            }
        }
    }
}
