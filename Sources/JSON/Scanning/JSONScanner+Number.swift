/// Numbers: the grammar only; the value stays text.
extension JSONScanner {
    /// Reads a number from its sign or first digit and appends its entry.
    @inline(__always)
    mutating func number() -> Bool {
        let start = position
        if byteHere == UInt8(ascii: "-") { position &+= 1 }
        let whole = position
        guard digits() else { return false }
        if position &- whole > 1, isZero(at: whole) {
            position = whole
            return refuse(.leadingZero)
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
        append(JSONEntry(.number, start: start, end: position, next: count &+ 1))
        return true
    }

    /// One digit at least.
    @inline(__always)
    private mutating func digits() -> Bool {
        guard position < end else { return refuse(.truncated) }
        guard byteHere.isDigit else { return refuse(.digitMissing) }
        repeat { position &+= 1 } while position < end && byteHere.isDigit
        return true
    }

    /// The offset has been read before, so it is below `end`.
    @inline(__always)
    private func isZero(at offset: Int) -> Bool {
        unsafe bytes.load(fromByteOffset: offset, as: UInt8.self) == UInt8(ascii: "0")
    }
}
