/// Writes JSON to an array of bytes.
///
/// In an object, the caller writes a name before each value.
package struct JSONWriter: Sendable {
    package var bytes: [UInt8] = []
    private var needsComma = false

    package struct Mark {
        fileprivate let count: Int
        fileprivate let needsComma: Bool
    }

    package init() {}

    package var mark: Mark { Mark(count: bytes.count, needsComma: needsComma) }

    package mutating func truncate(to mark: Mark) {
        bytes.removeLast(bytes.count - mark.count)
        needsComma = mark.needsComma
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

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

    package mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// The name must not need escapes.
    package mutating func plainName(_ name: StaticString) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func unescapedName(_ name: String) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func plainMember(_ name: StaticString, _ text: String) {
        plainName(name)
        string(text)
    }

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

    /// The bytes must be valid UTF-8.
    package mutating func string(_ text: Span<UInt8>) {
        // The buffer is used only during the call.
        unsafe text.withUnsafeBytes { unsafe appendQuoted($0) }
    }

    package mutating func integer(_ integer: Int) {
        comma()
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        var (low, rest) = (bytes.count, integer.magnitude)
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        var high = bytes.count - 1
        while low < high {
            bytes.swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }

    package mutating func ranges(_ ranges: [Range<Int>]) {
        array { writer in
            for range in ranges {
                writer.array { writer in
                    writer.integer(range.lowerBound)
                    writer.integer(range.upperBound)
                }
            }
        }
    }

    package mutating func number(_ number: JSONNumber) {
        comma()
        bytes.append(contentsOf: number.text.utf8)
    }

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

    package mutating func raw(_ value: some Collection<UInt8>) {
        comma()
        bytes.append(contentsOf: value)
    }

    package mutating func raw(_ value: Span<UInt8>) {
        comma()
        // The buffer is copied during the call.
        unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    package mutating func rawOnOneLine(_ value: ArraySlice<UInt8>) {
        raw(value)
        // In valid JSON, control characters occur only as blanks between values, never in strings.
        // The buffer is used only during the call. Without an early exit, the compiler uses vector instructions.
        let least = unsafe value.withUnsafeBytes { unsafe $0.reduce(UInt8.max, min) }
        guard least < 0x20 else { return }
        for index in bytes.count - value.count..<bytes.count where bytes[index] < 0x20 {
            bytes[index] = UInt8(ascii: " ")
        }
    }

    private mutating func begin(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}

extension JSONWriter {
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
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}

extension JSONWriter {
    private mutating func appendQuoted(_ text: UnsafeRawBufferPointer) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        var offset = 0
        while let start = text.baseAddress, offset < text.count {
            // The rest of the text is readable.
            let plain = unsafe JSONScanner.plainLength(start + offset, text.count - offset, stopsBeyondASCII: false)
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start + offset, count: plain))
            offset += plain
            guard offset < text.count else { break }
            unsafe appendEscape(text[offset])
            offset += 1
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
            bytes.append(contentsOf: (byte < 16 ? "u000" : "u00").utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        }
    }
}
