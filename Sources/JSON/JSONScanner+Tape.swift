/// Bytes, entries and failures: the only places that dereference the scanner's pointers for one item.
extension JSONScanner {
    /// The byte at `position`, which the caller has seen to be below `end`.
    @inline(__always)
    var byteHere: UInt8 {
        unsafe bytes.load(fromByteOffset: position, as: UInt8.self)
    }

    @inline(__always)
    mutating func skipBlanks() {
        while position < end {
            let byte = byteHere
            guard byte <= UInt8(ascii: " "), Self.isBlank(byte) else { return }
            position &+= 1
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }

    @inline(__always)
    mutating func append(_ entry: JSONEntry) -> Bool {
        guard count < capacity else { return false }
        unsafe tape[count] = entry
        count &+= 1
        return true
    }

    /// Begins a container at its bracket; its `next` holds the enclosing one until it is closed.
    mutating func open(_ kind: JSONKind) -> Bool {
        guard depth < depthMax else {
            return fail("too many arrays and objects are open", .tooDeep)
        }
        guard append(JSONEntry(kind, start: position, end: position, next: open)) else { return false }
        open = count &- 1
        depth &+= 1
        isInObject = kind == .object
        position &+= 1
        return true
    }

    /// Ends the innermost container at its bracket.
    mutating func close() {
        position &+= 1
        let enclosing = unsafe Int(tape[open].next)
        unsafe tape[open].end = UInt32(truncatingIfNeeded: position)
        unsafe tape[open].next = UInt32(truncatingIfNeeded: count)
        open = enclosing
        depth &-= 1
        isInObject = unsafe depth > 0 && tape[enclosing].kind == .object
    }

    /// Notes why the text is refused; false, for the caller to pass on.
    @inline(never)
    mutating func fail(_ message: String, _ code: JSONError.Code = .syntax) -> Bool {
        if code == .syntax, position < end, byteHere >= 0x80, sequenceLength() == 0 {
            failure = JSONError(.notUTF8, at: position, "the bytes are not UTF-8")
        } else {
            failure = JSONError(code, at: position, message)
        }
        return false
    }

    @inline(never)
    mutating func failAtEnd() -> Bool {
        failure = JSONError(.syntax, at: end, "the text ends too early")
        return false
    }
}
