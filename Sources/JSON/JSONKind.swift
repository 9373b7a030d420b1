/// The six kinds of value of RFC 8259.
package enum JSONKind: UInt8, Equatable, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object

    /// Written out, so that other rooms compare without a call.
    @inlinable
    package static func == (left: JSONKind, right: JSONKind) -> Bool {
        switch (left, right) {
        case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array),
            (.object, .object):
            true
        default: false
        }
    }
}
