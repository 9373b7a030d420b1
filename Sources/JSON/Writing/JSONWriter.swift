/// Writes JSON by appending to bytes, commas included.
///
/// The caller makes sure that inside an object every value follows a name.
package struct JSONWriter: Sendable {
    package var bytes: [UInt8] = []
    /// Whether a value has been written at this level, so that the next one needs a comma.
    var needsComma = false

    /// How far a text has come.
    package struct Mark {
        fileprivate let count: Int
        fileprivate let needsComma: Bool
    }

    package init() {}

    /// Goes on behind values that are separated by commas, if there are any.
    package init(after values: [UInt8]) {
        bytes = values
        needsComma = !values.isEmpty
    }

    package var mark: Mark { Mark(count: bytes.count, needsComma: needsComma) }

    /// Takes back what has been written since a mark.
    package mutating func takeBack(to mark: Mark) {
        bytes.removeLast(bytes.count - mark.count)
        needsComma = mark.needsComma
    }

    /// Empties the writer and keeps its memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Ends a text with a line feed; the next value begins another text.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }
    package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        begin(UInt8(ascii: "{"))
        try body(&self)
        end(UInt8(ascii: "}"))
    }
    package mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        begin(UInt8(ascii: "["))
        try body(&self)
        end(UInt8(ascii: "]"))
    }

    /// A member's name; exactly one value must follow.
    package mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A name that needs no escapes.
    package mutating func plainName(_ name: StaticString) {
        let hasComma = needsComma
        bytes.append(atMost: name.utf8CodeUnitCount + 4) { room in
            if hasComma { room.byte(UInt8(ascii: ",")) }
            room.byte(UInt8(ascii: "\""))
            room.copy(name)
            room.copy("\":")
        }
        needsComma = false
    }

    /// A member whose name needs no escapes.
    package mutating func plainMember(_ name: StaticString, _ text: String) {
        var text = text
        // The buffer is copied within the call.
        text.withUTF8 { unsafe appendQuoted(UnsafeRawBufferPointer($0), after: name) }
    }

    /// A name with its quotes and colon, as another writer has written it.
    package mutating func rawName(_ name: Span<UInt8>) {
        comma()
        // The buffer is copied within the call.
        unsafe name.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        needsComma = false
    }

    /// A member of a name as above and of a value that is JSON already, and on one line if this text must be.
    package mutating func rawMember(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        let hasComma = needsComma
        needsComma = true
        bytes.append(atMost: name.count + value.count + 1) { room in
            if hasComma { room.byte(UInt8(ascii: ",")) }
            room.copy(name)
            room.copy(value)
        }
    }

    package mutating func string(_ string: String) {
        var string = string
        // The buffer is copied within the call.
        string.withUTF8 { unsafe appendQuoted(UnsafeRawBufferPointer($0)) }
    }

    /// A string of bytes that are known to be UTF-8.
    package mutating func string(_ text: Span<UInt8>) {
        // The buffer is used within the call only.
        unsafe text.withUnsafeBytes { unsafe appendQuoted($0) }
    }

    package mutating func integer(_ integer: Int) {
        appendInteger(integer)
    }

    package mutating func number(_ number: JSONNumber) {
        comma()
        bytes.append(contentsOf: number.text.utf8)
    }

    /// The shortest text that reads back as the same double; null for infinities and NaN, which JSON doesn't have.
    package mutating func double(_ double: Double) {
        if let number = JSONNumber(double) { self.number(number) } else { null() }
    }

    package mutating func bool(_ bool: Bool) {
        comma()
        bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    }

    package mutating func null() {
        comma()
        bytes.append(contentsOf: "null".utf8)
    }

    /// A value that is JSON already, and on one line if this text must be.
    package mutating func raw(_ value: some Collection<UInt8>) {
        comma()
        bytes.append(contentsOf: value)
    }

    /// The same of borrowed bytes.
    package mutating func raw(_ value: Span<UInt8>) {
        comma()
        // The buffer is copied within the call.
        unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// A value that is JSON already; its line ends, which can only be blanks between tokens, become spaces.
    package mutating func rawOnOneLine(_ value: ArraySlice<UInt8>) {
        let start = bytes.count + (needsComma ? 1 : 0)
        raw(value)
        // The buffers are used within the calls only.
        guard unsafe value.withUnsafeBytes(Self.holdsControl) else { return }
        unsafe bytes.withUnsafeMutableBytes {
            unsafe Self.blankLineEnds(UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
        }
    }
    mutating func begin(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        needsComma = false
    }
    mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
    mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}
