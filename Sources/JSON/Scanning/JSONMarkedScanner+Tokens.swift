import CBytes

/// Tokens, each read from its first byte, which is there; what is none has no end.
extension JSONMarkedScanner {
    /// The first place from `place` on that is no blank; there is one, if only the last bracket.
    @inline(__always)
    func token(from place: Int) -> Int {
        if byte(at: place) > UInt8(ascii: " ") { return place }
        // Mostly one or none.
        let isOne = byte(at: place) == UInt8(ascii: " ") && byte(at: place &+ 1) > UInt8(ascii: " ")
        return isOne ? place &+ 1 : pastBlanks(from: place)
    }

    @inline(never)
    private func pastBlanks(from start: Int) -> Int {
        var place = start
        while place &+ 16 <= end {
            // Sixteen bytes are there.
            let others = unsafe ~bytes_blanks_of_json(bytes + place) & 0xFFFF
            if others != 0 { return place &+ others.trailingZeroBitCount }
            place &+= 16
        }
        while JSONScanner.isBlank(byte(at: place)) { place &+= 1 }
        return place
    }

    /// Where a string ends, and whether it has escapes.
    @inline(__always)
    func string(at place: Int) -> (end: Int, hasEscapes: Bool)? {
        guard byte(at: place) == UInt8(ascii: "\"") else { return nil }
        let stop = marks.next(from: place &+ 1)
        guard stop < end else { return nil }
        if byte(at: stop) == UInt8(ascii: "\"") { return (stop &+ 1, false) }
        return escapedEnd(from: stop).map { ($0, true) }
    }

    /// The same from the first place that has a mark, on past escapes.
    @inline(never)
    private func escapedEnd(from first: Int) -> Int? {
        var stop = first
        while stop < end {
            if byte(at: stop) == UInt8(ascii: "\"") { return stop &+ 1 }
            guard byte(at: stop) == UInt8(ascii: "\\") else { return nil }
            switch byte(at: stop &+ 1) {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                stop = marks.next(from: stop &+ 2)
            case UInt8(ascii: "u"):
                for offset in 2..<6 {
                    guard HexDigit.isOne(byte(at: stop &+ offset)) else { return nil }
                }
                stop = marks.next(from: stop &+ 6)
            default: return nil
            }
        }
        return nil
    }

    /// A number or a word, and where it ends.
    @inline(__always)
    func scalar(at place: Int) -> (kind: JSONKind, end: Int)? {
        switch byte(at: place) {
        case UInt8(ascii: "t"): follows("rue", place).map { (.bool, $0) }
        case UInt8(ascii: "f"): follows("alse", place).map { (.bool, $0) }
        case UInt8(ascii: "n"): follows("ull", place).map { (.null, $0) }
        default: numberEnd(from: place).map { (.number, $0) }
        }
    }

    @inline(__always)
    private func follows(_ rest: StaticString, _ place: Int) -> Int? {
        for offset in 0..<rest.utf8CodeUnitCount {
            // The offset is below the literal's own length.
            guard unsafe byte(at: place &+ 1 &+ offset) == rest.utf8Start[offset] else { return nil }
        }
        return place &+ 1 &+ rest.utf8CodeUnitCount
    }

    /// The digits of a number that begins with a zero end there: no token begins with the next one.
    @inline(__always)
    private func numberEnd(from start: Int) -> Int? {
        var place = byte(at: start) == UInt8(ascii: "-") ? start &+ 1 : start
        if byte(at: place) == UInt8(ascii: "0") {
            place &+= 1
        } else {
            guard let end = digitsEnd(from: place) else { return nil }
            place = end
        }
        if byte(at: place) == UInt8(ascii: ".") {
            guard let end = digitsEnd(from: place &+ 1) else { return nil }
            place = end
        }
        if byte(at: place) | 0x20 == UInt8(ascii: "e") {
            let sign = byte(at: place &+ 1)
            let hasSign = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
            guard let end = digitsEnd(from: place &+ (hasSign ? 2 : 1)) else { return nil }
            place = end
        }
        return place
    }

    @inline(__always)
    private func digitsEnd(from start: Int) -> Int? {
        var place = start
        while JSONScanner.isDigit(byte(at: place)) { place &+= 1 }
        return place > start ? place : nil
    }
}
