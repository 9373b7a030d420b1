import CBytes

/// Strings: runs of plain bytes by sixteens, UTF-8 sequences of three bytes by twos, all else one by one.
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
                append(JSONEntry(.string, start: start, end: position, next: count &+ 1, hasEscapes: hasEscapes))
                return true
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

    /// The offset of the first quote, backslash, control character or byte beyond ASCII, or the end.
    @inline(__always)
    private func plainEnd(from start: Int) -> Int {
        var offset = start
        while offset &+ 16 <= end {
            // Sixteen bytes are there.
            let special = unsafe bytes_escapable_or_not_ascii(bytes + offset)
            if special != 0 { return offset &+ special.trailingZeroBitCount }
            offset &+= 16
        }
        while offset < end {
            // The offset is below the end.
            let byte = unsafe bytes.load(fromByteOffset: offset, as: UInt8.self)
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            offset &+= 1
        }
        return offset
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
                guard byteHere.isHexDigit else { return refuse(.hexadecimalMissing) }
                position &+= 1
            }
            return true
        default:
            return refuse(.escapeUnknown)
        }
    }

    /// Goes past what is not ASCII, and single blanks in it: words of Hangul, kana and Chinese characters.
    @inline(__always)
    private mutating func skipSequences() -> Bool {
        while position < end {
            skipThreeByteSequences()
            guard position < end else { return true }
            if byteHere >= 0x80 {
                let length = sequenceLength()
                guard length > 0 else { return refuse(.notUTF8) }
                position &+= length
            } else if byteHere == UInt8(ascii: " ") {
                position &+= 1
                guard position < end, byteHere >= 0x80 else { return true }
            } else {
                return true
            }
        }
        return true
    }

    /// Goes past well-formed sequences of three bytes, two at a time, as long as eight bytes are left.
    @inline(__always)
    private mutating func skipThreeByteSequences() {
        while position &+ 8 <= end {
            // Eight bytes are there; the load needs no alignment.
            let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            guard Self.isThreeByteSequence(word) else { return }
            position &+= 3
            guard Self.isThreeByteSequence(word >> 24) else { return }
            position &+= 3
        }
    }

    /// Whether the lowest three bytes are one lead and two trailing bytes, neither overlong nor a surrogate.
    @inline(__always)
    private static func isThreeByteSequence(_ word: UInt64) -> Bool {
        // The lead, and the bit of the second byte that halves its range.
        let start = word & 0x20FF
        return word & 0xC0C0F0 == 0x8080E0 && start != 0x00E0 && start != 0x20ED
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
