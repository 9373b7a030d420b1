/// The pass over the bytes: what `JSONIndex` does, over memory that somebody else holds.
///
/// Unsafe pointers are used because this is the hottest loop of the daemon: checked access to the array of bytes and to
/// the tape costs twice the time. Invariants that keep it within bounds: `position <= end` always, a byte is only read
/// below `end`, an entry is only written below `capacity` and only read below `count`.
@safe
struct JSONScanner {
    /// What became of a pass.
    enum Outcome {
        /// The text is valid and has so many entries.
        case indexed(Int)
        /// The tape is too short; nothing is known about the rest of the text.
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
    var failure: JSONError?

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
    mutating func scan() -> Outcome {
        if step() { return .indexed(count) }
        return failure.map(Outcome.refused) ?? .tapeFull
    }

    /// One value after the other, until the root is complete and nothing but blanks follows.
    private mutating func step() -> Bool {
        while true {
            guard value() else { return false }
            while depth > 0 {
                skipBlanks()
                guard position < end else { return failAtEnd() }
                let byte = byteHere
                if byte == UInt8(ascii: ",") {
                    position &+= 1
                    if isInObject {
                        skipBlanks()
                        guard name() else { return false }
                    }
                    break
                }
                guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    return fail("a comma or the closing bracket is missing")
                }
                close()
            }
            if depth == 0 {
                skipBlanks()
                return position == end || fail("something follows the value")
            }
        }
    }

    /// Reads a scalar or an empty container whole; of any other container all up to its first element's value.
    private mutating func value() -> Bool {
        while true {
            skipBlanks()
            guard position < end else { return failAtEnd() }
            if depth > 0 { unsafe tape[open].tag &+= JSONEntry.oneElement }
            switch byteHere {
            case UInt8(ascii: "\""):
                return string()
            case UInt8(ascii: "{"):
                guard open(.object) else { return false }
                skipBlanks()
                if position < end, byteHere == UInt8(ascii: "}") {
                    close()
                    return true
                }
                guard name() else { return false }
            case UInt8(ascii: "["):
                guard open(.array) else { return false }
                skipBlanks()
                if position < end, byteHere == UInt8(ascii: "]") {
                    close()
                    return true
                }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                return number()
            case UInt8(ascii: "t"):
                return literal("true", .bool)
            case UInt8(ascii: "f"):
                return literal("false", .bool)
            case UInt8(ascii: "n"):
                return literal("null", .null)
            default:
                return fail("a value is missing")
            }
        }
    }

    /// Reads a member's name and its colon.
    private mutating func name() -> Bool {
        guard position < end else { return failAtEnd() }
        guard byteHere == UInt8(ascii: "\"") else { return fail("a member name in quotes is missing") }
        guard string() else { return false }
        skipBlanks()
        guard position < end else { return failAtEnd() }
        guard byteHere == UInt8(ascii: ":") else { return fail("a colon is missing") }
        position &+= 1
        return true
    }

    private mutating func literal(_ word: StaticString, _ kind: JSONKind) -> Bool {
        let start = position
        for offset in 0..<word.utf8CodeUnitCount {
            guard position < end else { return failAtEnd() }
            // The offset is below the literal's own length.
            guard unsafe byteHere == word.utf8Start[offset] else { return fail("a value is missing") }
            position &+= 1
        }
        return append(JSONEntry(kind, start: start, end: position, next: count &+ 1))
    }
}
