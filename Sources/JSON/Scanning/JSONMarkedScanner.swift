/// The quick pass over the bytes: what `JSONScanner` does, of a text whose marks are known.
///
/// It takes valid texts only, whose root is an array or object with something in it, and gives up on others without saying
/// why: `JSONScanner` does. That leaves it few variables, most of them in registers, and hardly a bound to check:
/// the text ends with a bracket that closes, and whatever reads byte after byte leaves off there at the latest.
///
/// `@safe`: text and tape outlive the pass. A byte is read at the first place that is none of a blank, or right behind one
/// that has been seen to be another than that last bracket, and so below `end`; entries are written below `capacity` and
/// read below `count`.
@safe
struct JSONMarkedScanner {
    enum Outcome {
        /// The text is valid and has so many entries.
        case indexed(Int)
        case tapeFull
        case givenUp
    }

    let bytes: UnsafeRawPointer
    /// Behind the bracket that ends the text but for blanks.
    let end: Int
    let marks: JSONMarks
    private let tape: UnsafeMutablePointer<JSONEntry>
    private let capacity: Int
    private let depthMax: Int

    /// Nil when the text does not end with a bracket, or has no room for another before it.
    init?(
        _ text: UnsafeRawBufferPointer,
        _ marks: JSONMarks,
        onto tape: UnsafeMutableBufferPointer<JSONEntry>,
        depthMax: Int
    ) {
        // Both are there as far as their counts say; the last byte is looked for from the end on.
        guard let start = text.baseAddress, let first = tape.baseAddress,
            let last = unsafe text.lastIndex(where: { !JSONScanner.isBlank($0) }), last > 0,
            unsafe text[last] == UInt8(ascii: "}") || text[last] == UInt8(ascii: "]")
        else { return nil }
        unsafe bytes = start
        end = last + 1
        self.marks = marks
        unsafe self.tape = first
        capacity = tape.count
        self.depthMax = depthMax
    }

    /// Runs over the whole text.
    func scan() -> Outcome {
        var place = token(from: 0)
        var isInObject = byte(at: place) == UInt8(ascii: "{")
        guard capacity > 0, depthMax > 0, isInObject || byte(at: place) == UInt8(ascii: "[") else { return .givenUp }
        write(JSONEntry(isInObject ? .object : .array, start: place, end: place, next: 0), at: 0)
        var (count, open, depthLeft) = (1, 0, depthMax &- 1)
        guard place &+ 1 < end else { return .givenUp }
        place = token(from: place &+ 1)
        guard !Self.closes(byte(at: place)) else { return .givenUp }
        while true {
            guard count &+ 2 <= capacity else { return .tapeFull }
            if isInObject {
                guard let name = string(at: place) else { return .givenUp }
                write(
                    JSONEntry(.string, start: place, end: name.end, next: count &+ 1, hasEscapes: name.hasEscapes),
                    at: count
                )
                count &+= 1
                place = token(from: name.end)
                guard byte(at: place) == UInt8(ascii: ":") else { return .givenUp }
                place = token(from: place &+ 1)
            }
            // The open container's entry is below `count`.
            unsafe tape[open].tag &+= JSONEntry.oneElement
            switch byte(at: place) {
            case UInt8(ascii: "\""):
                guard let value = string(at: place) else { return .givenUp }
                write(
                    JSONEntry(.string, start: place, end: value.end, next: count &+ 1, hasEscapes: value.hasEscapes),
                    at: count
                )
                count &+= 1
                place = value.end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depthLeft > 0 else { return .givenUp }
                isInObject = byte(at: place) == UInt8(ascii: "{")
                write(JSONEntry(isInObject ? .object : .array, start: place, end: place, next: open), at: count)
                open = count
                count &+= 1
                depthLeft &-= 1
                // The bracket is not the last: that one closes.
                place = token(from: place &+ 1)
                if !Self.closes(byte(at: place)) { continue }
            default:
                guard let (kind, valueEnd) = scalar(at: place) else { return .givenUp }
                write(JSONEntry(kind, start: place, end: valueEnd, next: count &+ 1), at: count)
                count &+= 1
                place = valueEnd
            }
            while true {
                place = token(from: place)
                if byte(at: place) == UInt8(ascii: ",") { break }
                guard byte(at: place) == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return .givenUp }
                place &+= 1
                // The open containers' entries are below `count`.
                let enclosing = unsafe Int(tape[open].next)
                unsafe tape[open].end = UInt32(truncatingIfNeeded: place)
                unsafe tape[open].next = UInt32(truncatingIfNeeded: count)
                if open == 0 { return place == end ? .indexed(count) : .givenUp }
                depthLeft &+= 1
                guard place < end else { return .givenUp }
                open = enclosing
                isInObject = unsafe tape[open].kind == .object
            }
            place = token(from: place &+ 1)
        }
    }

    @inline(__always)
    func byte(at place: Int) -> UInt8 {
        // Below `end` the bytes are there.
        unsafe bytes.load(fromByteOffset: place, as: UInt8.self)
    }

    /// The entry's place is below `capacity`.
    @inline(__always)
    private func write(_ entry: JSONEntry, at place: Int) {
        // As the caller has seen, it fits.
        unsafe tape[place] = entry
    }

    @inline(__always)
    private static func closes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }
}
