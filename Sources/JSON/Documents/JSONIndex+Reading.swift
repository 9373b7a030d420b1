/// Reading values at a place of the tape, with the text that was indexed; what the wire's hot path uses.
///
/// The text must be the one of the last `index`, unchanged; places must be those of entries.
extension JSONIndex {
    /// The place of a member's value in the object at a place; the last one of a repeated name.
    ///
    /// - Complexity: O(n) in the object's members.
    package func member(_ name: StaticString, of object: Int, in text: UnsafeRawBufferPointer) -> Int? {
        guard tape[object].kind == .object else { return nil }
        var found: Int?
        var place = object + 1
        let end = Int(tape[object].next)
        while place < end {
            if unsafe isString(name, at: place, in: text) { found = place + 1 }
            place = Int(tape[place + 1].next)
        }
        return found
    }

    /// Whether the value at a place is a string of just this text; a name without a need for escapes.
    package func isString(_ expected: StaticString, at place: Int, in text: UnsafeRawBufferPointer) -> Bool {
        let entry = tape[place]
        guard entry.kind == .string else { return false }
        if entry.hasEscapes {
            return unsafe string(at: place, in: text) == expected.description
        }
        let count = expected.utf8CodeUnitCount
        guard entry.range.count - 2 == count else { return false }
        for offset in 0..<count {
            // Checked access to the text; the literal's offset is below its length.
            guard unsafe text[Int(entry.start) + 1 + offset] == expected.utf8Start[offset] else { return false }
        }
        return true
    }

    /// The string at a place, unescaped; nil when something else is there.
    package func string(at place: Int, in text: UnsafeRawBufferPointer) -> String? {
        let entry = tape[place]
        guard entry.kind == .string else { return nil }
        let inner = unsafe UnsafeRawBufferPointer(rebasing: text[Int(entry.start) + 1..<Int(entry.end) - 1])
        return unsafe entry.hasEscapes ? JSONString.unescape(inner) : String(decoding: inner, as: UTF8.self)
    }

    /// The integer at a place; nil when something else is there, or it has a fraction or exponent, or doesn't fit.
    package func int(at place: Int, in text: UnsafeRawBufferPointer) -> Int? {
        let entry = tape[place]
        guard entry.kind == .number else { return nil }
        var magnitude = 0
        var isNegative = false
        for offset in entry.range {
            let byte = unsafe text[offset]
            if byte == UInt8(ascii: "-"), offset == Int(entry.start) {
                isNegative = true
                continue
            }
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let (tens, tensOverflow) = magnitude.multipliedReportingOverflow(by: 10)
            let digit = Int(byte - UInt8(ascii: "0"))
            // Counting downwards for a negative number reaches the least integer.
            let (sum, overflow) =
                isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            guard !tensOverflow, !overflow else { return nil }
            magnitude = sum
        }
        return magnitude
    }

    /// The truth value at a place; nil when something else is there.
    package func bool(at place: Int, in text: UnsafeRawBufferPointer) -> Bool? {
        let entry = tape[place]
        guard entry.kind == .bool else { return nil }
        return unsafe text[Int(entry.start)] == UInt8(ascii: "t")
    }
}
