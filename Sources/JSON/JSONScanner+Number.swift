/// Numbers: the grammar only; the value stays text.
extension JSONScanner {
    mutating func number() -> Bool {
        let start = position
        if byteHere == UInt8(ascii: "-") { position &+= 1 }
        guard position < end else { return failAtEnd() }
        if byteHere == UInt8(ascii: "0") {
            position &+= 1
            if position < end, Self.isDigit(byteHere) {
                return fail("a number must not begin with a zero")
            }
        } else {
            guard digits() else { return false }
        }
        if position < end, byteHere == UInt8(ascii: ".") {
            position &+= 1
            guard digits() else { return false }
        }
        if position < end, byteHere | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if position < end, byteHere == UInt8(ascii: "+") || byteHere == UInt8(ascii: "-") {
                position &+= 1
            }
            guard digits() else { return false }
        }
        return append(JSONEntry(.number, start: start, end: position, next: count &+ 1))
    }

    /// One digit at least.
    @inline(__always)
    private mutating func digits() -> Bool {
        guard position < end else { return failAtEnd() }
        guard Self.isDigit(byteHere) else { return fail("a digit is missing") }
        repeat { position &+= 1 } while position < end && Self.isDigit(byteHere)
        return true
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}
