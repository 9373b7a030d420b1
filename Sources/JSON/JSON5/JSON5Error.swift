/// Why a hand-written file was refused, in the words of an editor: line and column, both from 1.
package struct JSON5Error: Error, Equatable, Sendable, CustomStringConvertible {
    package let code: JSONError.Code
    package let line: Int
    /// In Unicode scalars.
    package let column: Int
    package let message: String

    package init(_ code: JSONError.Code = .syntax, line: Int, column: Int, _ message: String) {
        self.code = code
        self.line = line
        self.column = column
        self.message = message
    }

    package var description: String { "line \(line), column \(column): \(message)" }
}
