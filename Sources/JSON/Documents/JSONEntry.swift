/// One value, or one member name, of an indexed text: 16 bytes that say where it is and what follows it.
///
/// Entries stand in the order of the text. An array's or object's entry is followed by those of its contents; a member
/// is a string entry for the name, then the entries of the value.
public struct JSONEntry: Equatable, Sendable {
    /// Offset of the value's first byte; of a string, its opening quote.
    @usableFromInline
    package internal(set) var start: UInt32
    /// Offset past the value's last byte; of a string, past its closing quote.
    @usableFromInline
    package internal(set) var end: UInt32
    /// Index of the entry after this value and all it contains.
    ///
    /// While the scanner has a container open, this holds the container around it instead.
    @usableFromInline
    package internal(set) var next: UInt32
    /// Bits 0–2 the kind, bit 3 whether a string has escapes, bits 4–31 the number of elements or members.
    @usableFromInline
    var tag: UInt32

    static let escapesBit: UInt32 = 1 << 3
    static let oneElement: UInt32 = 1 << 4

    init(_ kind: JSONKind, start: Int, end: Int, next: Int, hasEscapes: Bool = false) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        self.next = UInt32(truncatingIfNeeded: next)
        tag = UInt32(kind.rawValue) | (hasEscapes ? Self.escapesBit : 0)
    }

    @inlinable
    public var kind: JSONKind {
        switch tag & 7 {
        case 0: .null
        case 1: .bool
        case 2: .number
        case 3: .string
        case 4: .array
        default: .object
        }
    }

    /// Whether a string must be unescaped; false means that the bytes between its quotes are its text.
    @inlinable
    public var hasEscapes: Bool { tag & 8 != 0 }

    /// How many elements an array, or members an object, has.
    @inlinable
    public var count: Int { Int(tag >> 4) }

    /// Where the value stands in the text, a string with its quotes.
    @inlinable
    public var range: Range<Int> { Int(start)..<Int(end) }
}

/// The six kinds of value of RFC 8259.
public enum JSONKind: UInt8, Equatable, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object

    /// Written out, since the inlinable members of `JSONView` compare kinds in other rooms.
    @inlinable
    public static func == (left: JSONKind, right: JSONKind) -> Bool {
        switch (left, right) {
        case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array),
            (.object, .object):
            true
        default: false
        }
    }

    @inlinable
    public static func != (left: JSONKind, right: JSONKind) -> Bool { !(left == right) }
}
