/// A value that is bound to a statement.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
}
