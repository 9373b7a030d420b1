/// Strings: runs of plain bytes by eights, escapes and UTF-8 sequences one by one.
extension JSONScanner {
    /// Reads a string from its opening quote and appends its entry.
    @inline(__always)
    mutating func string() -> Bool {
        let start = position
        position &+= 1
        var hasEscapes = false
        while true {
            skipPlain()
            guard position < end else { return failAtEnd() }
            let byte = byteHere
            if byte == UInt8(ascii: "\"") {
                position &+= 1
                return append(
                    JSONEntry(.string, start: start, end: position, next: count &+ 1, hasEscapes: hasEscapes)
                )
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                guard escape() else { return false }
            } else if byte < 0x20 {
                return fail("a control character must be escaped")
            } else {
                guard skipSequences() else { return false }
            }
        }
    }

    /// Goes on to the first byte that is a quote, a backslash, a control character or not ASCII.
    @inline(__always)
    private mutating func skipPlain() {
        while position &+ 8 <= end {
            // Eight bytes are there; the load needs no alignment.
            let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let special = Self.specials(in: word)
            if special != 0 {
                position &+= special.trailingZeroBitCount >> 3
                return
            }
            position &+= 8
        }
        while position < end {
            let byte = byteHere
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            position &+= 1
        }
    }

    /// A word whose lowest set bit is in the first byte that is not plain; zero when all eight are.
    ///
    /// Subtracting borrows only out of a byte that is itself special, so what lies below the first one is exact.
    @inline(__always)
    private static func specials(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let below = (word &- ones &* 0x20) & ~word
        return (word | below | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & highs
    }

    private mutating func escape() -> Bool {
        position &+= 1
        guard position < end else { return failAtEnd() }
        switch byteHere {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
            return true
        case UInt8(ascii: "u"):
            position &+= 1
            for _ in 0..<4 {
                guard position < end else { return failAtEnd() }
                guard HexDigit.value(byteHere) != nil else {
                    return fail("four hexadecimal digits must follow \\u")
                }
                position &+= 1
            }
            return true
        default:
            return fail("there is no such escape")
        }
    }

    private mutating func skipSequences() -> Bool {
        while position < end, byteHere >= 0x80 {
            let length = sequenceLength()
            guard length > 0 else { return fail("the bytes are not UTF-8", .notUTF8) }
            position &+= length
        }
        return true
    }

    /// The length of the UTF-8 sequence that begins here with a byte above 0x7F; 0 when it is not well formed.
    ///
    /// The second byte's range excludes overlong forms, surrogates and what lies above U+10FFFF.
    func sequenceLength() -> Int {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch byteHere {
            case 0xE1...0xEC, 0xEE...0xEF: (3, 0x80...0xBF)
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0x80...0xBF)
            }
        guard length > 0, position &+ length <= end else { return 0 }
        // The whole sequence lies below `end`.
        guard unsafe second.contains(bytes.load(fromByteOffset: position &+ 1, as: UInt8.self)) else { return 0 }
        for offset in 2..<max(2, length) {
            guard unsafe bytes.load(fromByteOffset: position &+ offset, as: UInt8.self) & 0xC0 == 0x80 else { return 0 }
        }
        return length
    }
}
