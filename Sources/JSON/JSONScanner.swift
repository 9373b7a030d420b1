/// Scans the bytes of a text and writes its entries to a tape.
///
/// The caller owns both buffers.
///
/// Uses unsafe pointers because this is the hottest loop of the daemon: checked access takes twice the time. Invariants
/// for memory safety: `position <= end`; bytes are read only below `end`; entries are written only below `capacity` and
/// read only below `count`. The steps are inlined and an error is one byte, which saves a quarter of a request's time.
@safe
struct JSONScanner {
    /// The outcome of a scan.
    enum Outcome {
        /// The text is valid; the tape has `count` entries.
        case indexed
        /// The tape is too short. The rest of the text is not checked.
        case tapeFull
        case refused(JSONError)
    }

    let bytes: UnsafeRawPointer
    let end: Int
    let tape: UnsafeMutablePointer<JSONEntry>
    let capacity: Int
    let depthMax: Int

    var position = 0
    var count = 0
    var depth = 0
    /// The innermost open container; undefined at depth 0.
    var open = 0
    var isInObject = false
    /// The error of a step that returned false; nil if the tape is full.
    var refusal: JSONRefusal?

    /// An empty buffer has no address; any address will do, because nothing is read.
    init(text: UnsafeRawBufferPointer, tape: UnsafeMutableBufferPointer<JSONEntry>, depthMax: Int) {
        guard let tapeAddress = tape.baseAddress else { preconditionFailure("a tape is never empty") }
        unsafe self.tape = tapeAddress
        unsafe bytes = text.baseAddress ?? UnsafeRawPointer(tapeAddress)
        end = text.count
        capacity = tape.count
        self.depthMax = depthMax
    }

    /// Scans the complete text.
    @inline(__always)
    mutating func scan() -> Outcome {
        if root() { return .indexed }
        guard let refusal else { return .tapeFull }
        let found = verdict(on: refusal)
        return .refused(JSONError(found.code, at: position, found.message))
    }

    /// Scans values until the root is complete and only blanks follow.
    @inline(__always)
    private mutating func root() -> Bool {
        while true {
            guard value() else { return false }
            while depth > 0 {
                skipBlanks()
                guard position < end else { return refuse(.truncated) }
                let byte = byteHere
                if byte == UInt8(ascii: ",") {
                    position &+= 1
                    break
                }
                guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    return refuse(.separatorMissing)
                }
                close()
            }
            if depth == 0 {
                skipBlanks()
                return position == end || refuse(.trailing)
            }
        }
    }

    /// Scans the next element or member, or the root: a scalar, an empty container, or the beginnings of nested
    /// containers up to the first scalar.
    @inline(__always)
    private mutating func value() -> Bool {
        while true {
            // Checks the space for a name and a value before reading them.
            guard count &+ 2 <= capacity else { return false }
            skipBlanks()
            if isInObject {
                guard name() else { return false }
            }
            guard position < end else { return refuse(.truncated) }
            // The entry of the open container is below `count`.
            if depth > 0 { unsafe tape[open].tag &+= JSONEntry.oneElement }
            switch byteHere {
            case UInt8(ascii: "\""):
                return string()
            case UInt8(ascii: "{"):
                guard open(.object) else { return false }
                if closesAtOnce(UInt8(ascii: "}")) { return true }
            case UInt8(ascii: "["):
                guard open(.array) else { return false }
                if closesAtOnce(UInt8(ascii: "]")) { return true }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                return number()
            case UInt8(ascii: "t"):
                return literal("true", .bool)
            case UInt8(ascii: "f"):
                return literal("false", .bool)
            case UInt8(ascii: "n"):
                return literal("null", .null)
            default:
                return refuse(.valueMissing)
            }
        }
    }

    /// Scans a member's name, its colon, and the blanks before its value.
    @inline(__always)
    private mutating func name() -> Bool {
        guard position < end else { return refuse(.truncated) }
        guard byteHere == UInt8(ascii: "\"") else { return refuse(.nameMissing) }
        guard string() else { return false }
        if position == end || byteHere != UInt8(ascii: ":") {
            skipBlanks()
            guard position < end else { return refuse(.truncated) }
            guard byteHere == UInt8(ascii: ":") else { return refuse(.colonMissing) }
        }
        position &+= 1
        // Usually at most one.
        if position < end, byteHere == UInt8(ascii: " ") { position &+= 1 }
        skipBlanks()
        return true
    }

    @inline(__always)
    private mutating func closesAtOnce(_ bracket: UInt8) -> Bool {
        skipBlanks()
        guard position < end, byteHere == bracket else { return false }
        close()
        return true
    }

    /// The position is at the first letter of the word.
    @inline(__always)
    private mutating func literal(_ word: StaticString, _ kind: JSONKind) -> Bool {
        let start = position
        for offset in 1..<word.utf8CodeUnitCount {
            position &+= 1
            guard position < end else { return refuse(.truncated) }
            // The offset is below the length of the literal.
            guard unsafe byteHere == word.utf8Start[offset] else { return refuse(.valueMissing) }
        }
        position &+= 1
        append(JSONEntry(kind, start: start, end: position, next: count &+ 1))
        return true
    }
}

/// Strings: plain bytes are scanned 16 at a time, three-byte UTF-8 sequences two at a time, all others one by one.
extension JSONScanner {
    /// Scans a string from its opening quote and appends its entry.
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

    /// The offset of the first quote, backslash, control character or non-ASCII byte, or the end.
    @inline(__always)
    private func plainEnd(from start: Int) -> Int {
        // The bytes up to `end` are readable.
        start &+ (unsafe Self.plainLength(bytes + start, end &- start, stopsBeyondASCII: true))
    }

    /// The number of bytes before the first quote, backslash, control character or, optionally, non-ASCII byte.
    @inline(__always)
    static func plainLength(_ text: UnsafeRawPointer, _ count: Int, stopsBeyondASCII: Bool) -> Int {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        var offset = 0
        while offset &+ 8 <= count {
            // Eight bytes are readable. A bit is set for the first stopping byte, and possibly for later bytes.
            let word = unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            var found = (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
            if stopsBeyondASCII { found |= word }
            found &= highs
            if found != 0 { return offset &+ found.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while offset < count {
            // The offset is within the buffer.
            let byte = unsafe text.load(fromByteOffset: offset, as: UInt8.self)
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || (stopsBeyondASCII && byte >= 0x80) { break }
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

    /// Skips non-ASCII text with single blanks: words in Hangul, kana and Chinese characters.
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

    /// Skips valid three-byte sequences, two at a time, while eight bytes are left.
    @inline(__always)
    private mutating func skipThreeByteSequences() {
        while position &+ 8 <= end {
            // Eight bytes are readable; the load needs no alignment.
            let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            guard Self.isThreeByteSequence(word) else { return }
            position &+= 3
            guard Self.isThreeByteSequence(word >> 24) else { return }
            position &+= 3
        }
    }

    /// Whether the lowest three bytes are a valid sequence, neither overlong nor a surrogate.
    @inline(__always)
    private static func isThreeByteSequence(_ word: UInt64) -> Bool {
        // The first byte, and the bit of the second byte that halves its range.
        let start = word & 0x20FF
        return word & 0xC0C0F0 == 0x8080E0 && start != 0x00E0 && start != 0x20ED
    }

    /// The length of the UTF-8 sequence at the position, which begins with a byte above 0x7F; 0 if it is not valid.
    ///
    /// The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF.
    @inline(__always)
    func sequenceLength() -> Int {
        let lead = byteHere
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard lead >= 0xC2, lead <= 0xF4, position &+ length <= end else { return 0 }
        let lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
        let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
        // The sequence is below `end`.
        let second = unsafe bytes.load(fromByteOffset: position &+ 1, as: UInt8.self)
        guard second >= lowest, second <= highest else { return 0 }
        for offset in 2..<max(2, length) {
            guard unsafe bytes.load(fromByteOffset: position &+ offset, as: UInt8.self) & 0xC0 == 0x80 else { return 0 }
        }
        return length
    }
}

/// Numbers: only the grammar is checked; the value remains text.
extension JSONScanner {
    /// Scans a number from its sign or first digit and appends its entry.
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

    /// Scans at least one digit.
    @inline(__always)
    private mutating func digits() -> Bool {
        guard position < end else { return refuse(.truncated) }
        guard byteHere.isDigit else { return refuse(.digitMissing) }
        repeat { position &+= 1 } while position < end && byteHere.isDigit
        return true
    }

    /// The byte was read before, so the offset is below `end`.
    @inline(__always)
    private func isZero(at offset: Int) -> Bool {
        unsafe bytes.load(fromByteOffset: offset, as: UInt8.self) == UInt8(ascii: "0")
    }
}

/// Basic operations on bytes, entries and errors.
extension JSONScanner {
    /// The byte at `position`, which must be below `end`.
    @inline(__always)
    var byteHere: UInt8 {
        // Bytes below `end` are readable; the caller keeps the text alive during the scan.
        unsafe bytes.assumingMemoryBound(to: UInt8.self)[position]
    }

    @inline(__always)
    mutating func skipBlanks() {
        while position < end {
            let byte = byteHere
            guard byte <= UInt8(ascii: " "), Self.isBlank(byte) else { return }
            position &+= 1
            if byte == UInt8(ascii: "\n") { skipMargin() }
        }
    }

    /// Skips the blanks at the beginning of a line, 16 at a time.
    @inline(__always)
    private mutating func skipMargin() {
        while position < end, byteHere == UInt8(ascii: " ") { position &+= 1 }
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }

    /// Appends an entry; `value` has checked the space.
    @inline(__always)
    mutating func append(_ entry: JSONEntry) {
        unsafe tape[count] = entry
        count &+= 1
    }

    /// Begins a container at its bracket; its `next` is the enclosing container until it is closed.
    @inline(__always)
    mutating func open(_ kind: JSONKind) -> Bool {
        guard depth < depthMax else { return refuse(.tooDeep) }
        append(JSONEntry(kind, start: position, end: position, next: open))
        open = count &- 1
        depth &+= 1
        isInObject = kind == .object
        position &+= 1
        return true
    }

    /// Ends the innermost container at its bracket.
    @inline(__always)
    mutating func close() {
        position &+= 1
        // The open container and its enclosing ones are below `count`.
        let enclosing = unsafe Int(tape[open].next)
        unsafe tape[open].end = UInt32(truncatingIfNeeded: position)
        unsafe tape[open].next = UInt32(truncatingIfNeeded: count)
        open = enclosing
        depth &-= 1
        isInObject = unsafe depth > 0 && tape[enclosing].kind == .object
    }

    /// Records an error at `position`; returns false for the caller to return.
    @inline(__always)
    mutating func refuse(_ refusal: JSONRefusal) -> Bool {
        self.refusal = refusal
        return false
    }

    /// Replaces a syntax error at a non-ASCII byte by a more precise error.
    func verdict(on refusal: JSONRefusal) -> JSONRefusal {
        guard refusal.code == .syntax, position < end, byteHere >= 0x80 else { return refusal }
        if sequenceLength() == 0 { return .notUTF8 }
        // A sequence that begins with this byte has three bytes.
        let isMark = unsafe byteHere == 0xEF && bytes.loadUnaligned(fromByteOffset: 1, as: UInt16.self) == 0xBFBB
        return position == 0 && isMark ? .byteOrderMark : refusal
    }
}
