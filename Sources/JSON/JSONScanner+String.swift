/// Strings: runs of plain bytes by eights, escapes and UTF-8 sequences one by one.
extension JSONScanner {
    /// Reads a string from its opening quote and appends its entry.
    @inline(__always)
    mutating func string() -> Bool {
        let start = position
        position &+= 1
        var hasEscapes = false
        while true {
            position = plainEnd(from: position)
            guard position < end else { return refuse(.truncated) }
            let byte = byteHere
            if byte == UInt8(ascii: "\"") {
                position &+= 1
                return append(
                    JSONEntry(.string, start: start, end: position, next: count &+ 1, hasEscapes: hasEscapes)
                )
            }
            if byte >= 0x80 {
                guard skipSequences() else { return false }
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                guard escape() else { return false }
            } else {
                return refuse(.controlCharacter)
            }
        }
    }

    /// The first place that is a quote, a backslash, a control character, not ASCII, or the end.
    @inline(__always)
    private func plainEnd(from start: Int) -> Int {
        var place = start
        while place &+ 8 <= end {
            // Eight bytes are there; the load needs no alignment.
            let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let special = EightBytes.escapablesOrNotASCII(in: word)
            if special != 0 { return place &+ special.trailingZeroBitCount >> 3 }
            place &+= 8
        }
        while place < end {
            // The place is below the end.
            let byte = unsafe bytes.load(fromByteOffset: place, as: UInt8.self)
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            place &+= 1
        }
        return place
    }

    @inline(__always)
    private mutating func escape() -> Bool {
        position &+= 1
        guard position < end else { return refuse(.truncated) }
        switch byteHere {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
            return true
        case UInt8(ascii: "u"):
            position &+= 1
            for _ in 0..<4 {
                guard position < end else { return refuse(.truncated) }
                guard HexDigit.value(byteHere) != nil else { return refuse(.hexadecimalMissing) }
                position &+= 1
            }
            return true
        default:
            return refuse(.escapeUnknown)
        }
    }

    @inline(__always)
    private mutating func skipSequences() -> Bool {
        while position < end, byteHere >= 0x80 {
            let length = sequenceLength()
            guard length > 0 else { return refuse(.notUTF8) }
            position &+= length
        }
        return true
    }

    /// The length of the UTF-8 sequence that begins here with a byte above 0x7F; 0 when it is not well formed.
    ///
    /// The second byte's range excludes overlong forms, surrogates and what lies above U+10FFFF.
    @inline(__always)
    func sequenceLength() -> Int {
        let lead = byteHere
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard lead >= 0xC2, lead <= 0xF4, position &+ length <= end else { return 0 }
        let lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
        let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
        // The whole sequence lies below `end`.
        let second = unsafe bytes.load(fromByteOffset: position &+ 1, as: UInt8.self)
        guard second >= lowest, second <= highest else { return 0 }
        for offset in 2..<max(2, length) {
            guard unsafe bytes.load(fromByteOffset: position &+ offset, as: UInt8.self) & 0xC0 == 0x80 else { return 0 }
        }
        return length
    }
}
