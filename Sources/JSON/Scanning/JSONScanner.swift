/// The pass over the bytes: what `JSONIndex` does, over memory that somebody else holds.
///
/// Unsafe pointers are used because this is the hottest loop of the daemon: checked access to the array of bytes and to
/// the tape costs twice the time. Invariants that keep it within bounds: `position <= end` always, a byte is only read
/// below `end`, an entry is only written below `capacity` and only read below `count`. The steps are inlined and a
/// refusal is one byte; together this takes a quarter off the time of a request.
@safe
struct JSONScanner {
    /// What became of a pass.
    enum Outcome {
        /// The text is valid; the tape holds `count` entries.
        case indexed
        /// The tape is too short for the text, as far as that was read.
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
    /// The innermost open container; meaningless at depth 0.
    var open = 0
    var isInObject = false
    /// Why a step answered false; nil then means that the tape is full.
    var refusal: JSONRefusal?

    /// An empty buffer has no address; any address does, since nothing is read from it.
    init(text: UnsafeRawBufferPointer, tape: UnsafeMutableBufferPointer<JSONEntry>, depthMax: Int) {
        guard let tapeAddress = tape.baseAddress else { preconditionFailure("a tape is never empty") }
        unsafe self.tape = tapeAddress
        unsafe bytes = text.baseAddress ?? UnsafeRawPointer(tapeAddress)
        end = text.count
        capacity = tape.count
        self.depthMax = depthMax
    }

    /// Runs over the whole text.
    @inline(__always)
    mutating func scan() -> Outcome {
        if root() { return .indexed }
        guard let refusal else { return .tapeFull }
        let found = verdict(on: refusal)
        return .refused(JSONError(found.code, at: position, found.message))
    }

    /// One value after the other, until the root is complete and nothing but blanks follows.
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

    /// Reads the next element or member, or the root: a scalar or an empty container whole, of any other container all
    /// up to the first value in it that is none.
    @inline(__always)
    private mutating func value() -> Bool {
        while true {
            // Room for a name and a value; nothing of either has been read.
            guard count &+ 2 <= capacity else { return false }
            skipBlanks()
            if isInObject {
                guard name() else { return false }
            }
            guard position < end else { return refuse(.truncated) }
            // The open container's entry is below `count`.
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

    /// Reads a member's name, its colon, and the blanks before its value.
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
        // Mostly one or none.
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

    /// The scanner stands at the word's first letter.
    @inline(__always)
    private mutating func literal(_ word: StaticString, _ kind: JSONKind) -> Bool {
        let start = position
        for offset in 1..<word.utf8CodeUnitCount {
            position &+= 1
            guard position < end else { return refuse(.truncated) }
            // The offset is below the literal's own length.
            guard unsafe byteHere == word.utf8Start[offset] else { return refuse(.valueMissing) }
        }
        position &+= 1
        append(JSONEntry(kind, start: start, end: position, next: count &+ 1))
        return true
    }
}
