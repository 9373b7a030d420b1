/// Why a text was refused, and where.
package struct JSONError: Error, Equatable, Sendable {
    /// What is wrong with the text; an open set.
    package struct Code: Hashable, RawRepresentable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A member name that stands twice in one object; only JSON5 refuses it.
        package static let duplicateName = Code(rawValue: "duplicateName")
        package static let notUTF8 = Code(rawValue: "notUTF8")
        package static let syntax = Code(rawValue: "syntax")
        package static let tooDeep = Code(rawValue: "tooDeep")
        package static let tooLong = Code(rawValue: "tooLong")
    }

    package let code: Code
    /// The byte, counted from 0, at which the text stops being what it should be.
    package let offset: Int
    /// For people; never repeats any of the text.
    package let message: String

    package init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    static func tooLong(_ limits: JSONLimits) -> JSONError {
        JSONError(.tooLong, at: limits.bytesMax, "the text is longer than \(limits.bytesMax) bytes")
    }

    static func tooManyEntries(_ limits: JSONLimits) -> JSONError {
        JSONError(.tooLong, at: 0, "the text has more than \(limits.entriesMax) values and names")
    }
}
