/// The six kinds of value of RFC 8259.
package enum JSONKind: UInt8, Equatable, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object
}
