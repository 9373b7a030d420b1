import CBytes

/// Bytes, entries and refusals: what the steps of the grammar are made of.
extension JSONScanner {
    /// The byte at `position`, which the caller has seen to be below `end`.
    @inline(__always)
    var byteHere: UInt8 {
        // Below `end` the bytes are there; the caller keeps the text until the scan is over.
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

    /// Goes past the blanks that begin a line, sixteen at a time.
    @inline(__always)
    private mutating func skipMargin() {
        while position &+ 16 <= end {
            // Sixteen bytes are there.
            let others = unsafe ~bytes_equal(bytes + position, UInt8(ascii: " ")) & 0xFFFF
            position &+= others == 0 ? 16 : others.trailingZeroBitCount
            if others != 0 { return }
        }
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }

    /// Appends an entry; `value` has checked that there is room.
    @inline(__always)
    mutating func append(_ entry: JSONEntry) {
        unsafe tape[count] = entry
        count &+= 1
    }

    /// Begins a container at its bracket; its `next` holds the enclosing one until it is closed.
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
        // The open container and those around it are below `count`.
        let enclosing = unsafe Int(tape[open].next)
        unsafe tape[open].end = UInt32(truncatingIfNeeded: position)
        unsafe tape[open].next = UInt32(truncatingIfNeeded: count)
        open = enclosing
        depth &-= 1
        isInObject = unsafe depth > 0 && tape[enclosing].kind == .object
    }

    /// Notes why the text is refused at `position`; false, for the caller to pass on.
    @inline(__always)
    mutating func refuse(_ refusal: JSONRefusal) -> Bool {
        self.refusal = refusal
        return false
    }

    /// What is really wrong, when the grammar stumbled over a byte that is no part of any text.
    func verdict(on refusal: JSONRefusal) -> JSONRefusal {
        guard refusal.code == .syntax, position < end, byteHere >= 0x80 else { return refusal }
        if sequenceLength() == 0 { return .notUTF8 }
        // A sequence that begins with this byte is three bytes long.
        let isMark = unsafe byteHere == 0xEF && bytes.loadUnaligned(fromByteOffset: 1, as: UInt16.self) == 0xBFBB
        return position == 0 && isMark ? .byteOrderMark : refusal
    }
}
