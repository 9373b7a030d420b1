/// Writes JSON to an array of bytes and adds commas; the caller must write a name before each value in an object.
package struct JSONWriter: Sendable {
    package var bytes: [UInt8] = []
    /// Whether the next value at this level needs a comma.
    var needsComma = false

    /// A position in the written text.
    package struct Mark {
        fileprivate let count: Int
        fileprivate let needsComma: Bool
    }

    package init() {}

    /// Creates a writer that continues after values separated by commas, if any.
    package init(after values: [UInt8]) {
        bytes = values
        needsComma = !values.isEmpty
    }

    package var mark: Mark { Mark(count: bytes.count, needsComma: needsComma) }

    /// Removes everything written after a mark.
    package mutating func takeBack(to mark: Mark) {
        bytes.removeLast(bytes.count - mark.count)
        needsComma = mark.needsComma
    }

    /// Removes the text but keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Ends a text with a line feed; the next value begins a new text.
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

    /// Writes the name of a member; exactly one value must follow.
    package mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a name that needs no escapes.
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

    /// Writes a member whose name needs no escapes.
    package mutating func plainMember(_ name: StaticString, _ text: String) {
        var text = text
        // The buffer is copied during the call.
        text.withUTF8 { unsafe appendQuoted(UnsafeRawBufferPointer($0), after: name) }
    }

    /// Writes a name that already has quotes and a colon.
    package mutating func rawName(_ name: Span<UInt8>) {
        comma()
        // The buffer is copied during the call.
        unsafe name.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        needsComma = false
    }

    package mutating func string(_ string: String) {
        var string = string
        // The buffer is copied during the call.
        string.withUTF8 { unsafe appendQuoted(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a string from bytes, which must be valid UTF-8.
    package mutating func string(_ text: Span<UInt8>) {
        // The buffer is used only during the call.
        unsafe text.withUnsafeBytes { unsafe appendQuoted($0) }
    }

    package mutating func integer(_ integer: Int) {
        appendInteger(integer)
    }

    package mutating func number(_ number: JSONNumber) {
        comma()
        bytes.append(contentsOf: number.text.utf8)
    }

    /// Writes the shortest text that reads back as the same double; null for infinities and NaN.
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

    /// Writes a value that is already JSON, without line breaks if the output needs one line.
    package mutating func raw(_ value: some Collection<UInt8>) {
        comma()
        bytes.append(contentsOf: value)
    }

    /// Writes a value that is already JSON.
    package mutating func raw(_ value: Span<UInt8>) {
        comma()
        // The buffer is copied during the call.
        unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// Writes a value that is already JSON, with line breaks replaced by spaces.
    package mutating func rawOnOneLine(_ value: ArraySlice<UInt8>) {
        let start = bytes.count + (needsComma ? 1 : 0)
        raw(value)
        // The buffers are used only during the calls.
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

/// Writes trees and complete members. Omits a member if its value is nil.
extension JSONWriter {
    /// Writes a tree recursively.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let bool): self.bool(bool)
        case .number(let number): self.number(number)
        case .string(let string): self.string(string)
        case .array(let elements):
            array { writer in
                for element in elements { writer.value(element) }
            }
        case .object(let members):
            object { writer in
                for member in members { writer.member(member.name, member.value) }
            }
        }
    }

    package mutating func member(_ name: String, _ string: String?) {
        guard let string else { return }
        self.name(name)
        self.string(string)
    }

    package mutating func member(_ name: String, _ integer: Int?) {
        guard let integer else { return }
        self.name(name)
        self.integer(integer)
    }

    package mutating func member(_ name: String, _ bool: Bool?) {
        guard let bool else { return }
        self.name(name)
        self.bool(bool)
    }

    package mutating func member(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        self.name(name)
        self.value(value)
    }
}

extension JSONValue {
    /// The value as JSON text without blanks.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

/// Encodes strings and numbers.
extension JSONWriter {
    /// Appends a comma if needed, and a number.
    mutating func appendInteger(_ integer: Int) {
        let hasComma = needsComma
        needsComma = true
        // A comma and a sign.
        bytes.append(atMost: ByteRoom.digitsMax + 2) { room in
            if hasComma { room.byte(UInt8(ascii: ",")) }
            if integer < 0 { room.byte(UInt8(ascii: "-")) }
            room.digits(of: UInt64(integer.magnitude))
        }
    }

    /// Writes ranges as an array of [lower, upper] pairs; no bound may be negative.
    package mutating func ranges(_ ranges: [Range<Int>]) {
        comma()
        // Two numbers, two brackets and two commas per range, and the outer brackets.
        bytes.append(atMost: ranges.count * (2 * ByteRoom.digitsMax + 4) + 2) { room in
            var separator = UInt8(ascii: "[")
            for range in ranges {
                room.byte(separator)
                room.byte(UInt8(ascii: "["))
                room.digits(of: UInt64(range.lowerBound.magnitude))
                room.byte(UInt8(ascii: ","))
                room.digits(of: UInt64(range.upperBound.magnitude))
                room.byte(UInt8(ascii: "]"))
                separator = UInt8(ascii: ",")
            }
            if ranges.isEmpty { room.byte(separator) }
            room.byte(UInt8(ascii: "]"))
        }
    }

    /// Whether the bytes contain a control character, such as a line end.
    static func holdsControl(_ text: UnsafeRawBufferPointer) -> Bool {
        var least: UInt8 = 0xFF
        // The bytes outlive the call.
        for offset in text.indices { unsafe least = min(least, text[offset]) }
        return least < 0x20
    }

    /// Replaces line ends by blanks.
    static func blankLineEnds(_ text: UnsafeMutableRawBufferPointer) {
        for offset in text.indices {
            // The offset is within the buffer.
            let byte = unsafe text[offset]
            unsafe text[offset] = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? UInt8(ascii: " ") : byte
        }
    }

    /// Appends a comma if needed, and a quoted UTF-8 string.
    ///
    /// Escapes only the characters that RFC 8259 requires.
    ///
    /// Optionally appends the name of a member, which needs no escapes, before it.
    mutating func appendQuoted(_ text: UnsafeRawBufferPointer, after name: StaticString? = nil) {
        let hasComma = needsComma
        needsComma = true
        var plain = 0
        bytes.append(atMost: text.count + (name?.utf8CodeUnitCount ?? 0) + 6) { room in
            if hasComma { room.byte(UInt8(ascii: ",")) }
            room.byte(UInt8(ascii: "\""))
            if let name {
                room.copy(name)
                room.copy("\":\"")
            }
            // The buffer is copied during the call.
            plain = unsafe room.copyPlain(text)
            if plain == text.count { room.byte(UInt8(ascii: "\"")) }
        }
        if plain < text.count { unsafe appendEscaped(text, from: plain) }
    }

    /// Appends the rest of a string from a byte that must be escaped, and the closing quote.
    private mutating func appendEscaped(_ text: UnsafeRawBufferPointer, from start: Int) {
        var offset = start
        while offset < text.count {
            // The offset is within the buffer.
            unsafe appendEscape(text[offset])
            let rest = unsafe UnsafeRawBufferPointer(rebasing: text[(offset + 1)...])
            offset += 1
            bytes.append(atMost: rest.count) { offset += unsafe $0.copyPlain(rest) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 8: bytes.append(UInt8(ascii: "b"))
        case 9: bytes.append(UInt8(ascii: "t"))
        case 10: bytes.append(UInt8(ascii: "n"))
        case 12: bytes.append(UInt8(ascii: "f"))
        case 13: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Self.hexDigit(byte >> 4))
            bytes.append(Self.hexDigit(byte & 15))
        }
    }
    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
