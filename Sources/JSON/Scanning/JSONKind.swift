/// The six kinds of value of RFC 8259.
public enum JSONKind: UInt8, Equatable, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object

    /// Written out, so that other rooms compare without a call.
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
