/// Checks a JSON text against RFC 8259 and finds the positions of its values.
///
/// Memory is safe because only bytes below `end` are read. The caller keeps the text alive.
@safe
struct JSONScanner {
    private let bytes: UnsafeRawPointer
    private let end: Int
    private let limits: JSONLimits
    var entries: [JSONEntry]
    private(set) var position = 0
    private var depth = 0
    private var open = 0
    private var isInObject = false
    /// The number of elements since the last bracket; one element counts as `JSONEntry.oneElement`.
    private var elements: UInt32 = 0

    /// `entries` must be empty.
    ///
    /// The scanner reuses the memory of this array.
    init(_ text: UnsafeRawBufferPointer, limits: JSONLimits, entries: [JSONEntry]) {
        // The address of an empty text may be nil. Then nothing is read.
        unsafe bytes = text.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        end = text.count
        self.limits = limits
        self.entries = entries
    }

    mutating func scan() throws(JSONRefusal) {
        while true {
            try value()
            while depth > 0 {
                skipBlanks()
                guard position < end else { throw .truncated }
                let byte = byteHere
                if byte == UInt8(ascii: ",") {
                    position &+= 1
                    break
                }
                guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { throw .separatorMissing }
                close()
            }
            guard depth == 0 else { continue }
            skipBlanks()
            if position < end { throw .trailing }
            return
        }
    }

    private mutating func value() throws(JSONRefusal) {
        while true {
            skipBlanks()
            if isInObject { try name() }
            guard position < end else { throw .truncated }
            elements &+= JSONEntry.oneElement
            switch byteHere {
            case UInt8(ascii: "\""): return try string()
            case UInt8(ascii: "{"):
                if try opens(.object, UInt8(ascii: "}")) { return }
            case UInt8(ascii: "["):
                if try opens(.array, UInt8(ascii: "]")) { return }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
            case UInt8(ascii: "t"): return try literal("true", .bool)
            case UInt8(ascii: "f"): return try literal("false", .bool)
            case UInt8(ascii: "n"): return try literal("null", .null)
            default: throw .valueMissing
            }
        }
    }

    private mutating func name() throws(JSONRefusal) {
        guard position < end else { throw .truncated }
        guard byteHere == UInt8(ascii: "\"") else { throw .nameMissing }
        try string()
        skipBlanks()
        guard position < end else { throw .truncated }
        guard byteHere == UInt8(ascii: ":") else { throw .colonMissing }
        position &+= 1
        skipBlanks()
    }

    /// Returns true if the container is empty.
    ///
    /// Then the closing bracket was read, too.
    private mutating func opens(_ kind: JSONKind, _ bracket: UInt8) throws(JSONRefusal) -> Bool {
        guard depth < limits.depthMax else { throw .tooDeep }
        try append(JSONEntry(kind, start: position, end: position, next: open))
        if depth > 0 { entries[open].tag &+= elements }
        elements = 0
        open = entries.count &- 1
        depth &+= 1
        isInObject = kind == .object
        position &+= 1
        skipBlanks()
        guard position < end, byteHere == bracket else { return false }
        close()
        return true
    }

    private mutating func close() {
        position &+= 1
        let enclosing = Int(entries[open].next)
        entries[open].end = UInt32(truncatingIfNeeded: position)
        entries[open].next = UInt32(truncatingIfNeeded: entries.count)
        entries[open].tag &+= elements
        elements = 0
        open = enclosing
        depth &-= 1
        isInObject = depth > 0 && entries[enclosing].kind == .object
    }

    private mutating func literal(_ word: StaticString, _ kind: JSONKind) throws(JSONRefusal) {
        let start = position
        for offset in 1..<word.utf8CodeUnitCount {
            position &+= 1
            guard position < end else { throw .truncated }
            // The offset is below the length of the literal.
            guard unsafe byteHere == word.utf8Start[offset] else { throw .valueMissing }
        }
        position &+= 1
        try append(JSONEntry(kind, start: start, end: position, next: entries.count &+ 1))
    }

    private mutating func append(_ entry: JSONEntry) throws(JSONRefusal) {
        guard entries.count < limits.entriesMax else { throw .tooManyEntries }
        entries.append(entry)
    }

    private var byteHere: UInt8 { byte(at: position) }

    private func byte(at offset: Int) -> UInt8 {
        // The caller has checked that the offset is below `end`.
        unsafe bytes.load(fromByteOffset: offset, as: UInt8.self)
    }

    private mutating func skipBlanks() {
        while position < end {
            switch byteHere {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position &+= 1
            default: return
            }
            while position &+ 8 <= end {
                // Eight bytes are readable.
                let word = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
                let others = word ^ 0x2020_2020_2020_2020
                position &+= others.trailingZeroBitCount / 8
                if others != 0 { break }
            }
        }
    }

    private mutating func string() throws(JSONRefusal) {
        let start = position
        position &+= 1
        var hasEscapes = false
        while true {
            // The bytes up to `end` are readable.
            position &+= unsafe Self.plainLength(bytes + position, end &- position, stopsBeyondASCII: true)
            guard position < end else { throw .truncated }
            switch byteHere {
            case UInt8(ascii: "\""):
                position &+= 1
                var entry = JSONEntry(.string, start: start, end: position, next: entries.count &+ 1)
                if hasEscapes { entry.tag |= JSONEntry.escapesBit }
                return try append(entry)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try escape()
            case 0x80...:
                repeat {
                    let length = sequenceLength()
                    guard length > 0 else { throw .notUTF8 }
                    position &+= length
                } while position < end && byteHere >= 0x80
            default: throw .controlCharacter
            }
        }
    }

    /// Returns the number of bytes before the first quote, backslash or control character.
    static func plainLength(_ text: UnsafeRawPointer, _ count: Int, stopsBeyondASCII: Bool) -> Int {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        var offset = 0
        while offset &+ 8 <= count {
            // Eight bytes are readable. The lowest bit of `found` belongs to the first byte that ends the text.
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

    private mutating func escape() throws(JSONRefusal) {
        position &+= 1
        guard position < end else { throw .truncated }
        switch byteHere {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
        case UInt8(ascii: "u"):
            position &+= 1
            for _ in 0..<4 {
                guard position < end else { throw .truncated }
                guard byteHere.isHexDigit else { throw .hexadecimalMissing }
                position &+= 1
            }
        default: throw .escapeUnknown
        }
    }

    /// Returns 0 if the sequence is not valid UTF-8.
    private func sequenceLength() -> Int {
        let lead = byteHere
        if lead >= 0xE1, lead <= 0xEC, position &+ 3 <= end {
            // The second and the third byte may be any continuation bytes.
            return (byte(at: position &+ 1) & 0xC0 | (byte(at: position &+ 2) & 0xC0) >> 2) == 0xA0 ? 3 : 0
        }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard lead >= 0xC2, lead <= 0xF4, position &+ length <= end else { return 0 }
        let lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
        let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
        guard (lowest...highest).contains(byte(at: position &+ 1)) else { return 0 }
        for offset in 2..<max(2, length) {
            guard byte(at: position &+ offset) & 0xC0 == 0x80 else { return 0 }
        }
        return length
    }

    private mutating func number() throws(JSONRefusal) {
        let start = position
        if byteHere == UInt8(ascii: "-") { position &+= 1 }
        let whole = position
        try digits()
        if position &- whole > 1, byte(at: whole) == UInt8(ascii: "0") {
            position = whole
            throw .leadingZero
        }
        if position < end, byteHere == UInt8(ascii: ".") {
            position &+= 1
            try digits()
        }
        if position < end, byteHere | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if position < end, byteHere == UInt8(ascii: "+") || byteHere == UInt8(ascii: "-") { position &+= 1 }
            try digits()
        }
        try append(JSONEntry(.number, start: start, end: position, next: entries.count &+ 1))
    }

    private mutating func digits() throws(JSONRefusal) {
        guard position < end else { throw .truncated }
        guard byteHere.isDigit else { throw .digitMissing }
        repeat { position &+= 1 } while position < end && byteHere.isDigit
    }

    func error(_ refusal: JSONRefusal) -> JSONError {
        var refusal = refusal
        if refusal.code == .syntax, position < end, byteHere >= 0x80 {
            let length = sequenceLength()
            if length == 0 {
                refusal = .notUTF8
            } else if position == 0, length == 3, byteHere == 0xEF, byte(at: 1) == 0xBB, byte(at: 2) == 0xBF {
                refusal = .byteOrderMark
            }
        }
        return JSONError(refusal.code, at: position, refusal.rawValue)
    }
}
