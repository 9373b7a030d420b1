/// Why a text was refused, and where.
package struct JSONError: Error, Equatable, Sendable {
    /// What is wrong with the text.
    package enum Code: Sendable {
        /// A member name that stands twice in one object; only JSON5 refuses it.
        case duplicateName
        case notUTF8
        case syntax
        case tooDeep
        case tooLong
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

/// What a scan found wrong; one byte, so that noting it costs the hot loop nothing.
enum JSONRefusal: UInt8 {
    case byteOrderMark
    case colonMissing
    case controlCharacter
    case digitMissing
    case escapeUnknown
    case hexadecimalMissing
    case leadingZero
    case nameMissing
    case notUTF8
    case separatorMissing
    case tooDeep
    case trailing
    case truncated
    case valueMissing

    var code: JSONError.Code {
        switch self {
        case .notUTF8: .notUTF8
        case .tooDeep: .tooDeep
        default: .syntax
        }
    }

    var message: String {
        switch self {
        case .byteOrderMark: "a byte order mark must not stand before a JSON text"
        case .colonMissing: "a colon is missing"
        case .controlCharacter: "a control character in a string must be escaped"
        case .digitMissing: "a digit is missing"
        case .escapeUnknown: "there is no such escape"
        case .hexadecimalMissing: "four hexadecimal digits must follow \\u"
        case .leadingZero: "a number must not begin with a zero"
        case .nameMissing: "a member name in quotes is missing"
        case .notUTF8: "the bytes are not UTF-8"
        case .separatorMissing: "a comma or the closing bracket is missing"
        case .tooDeep: "too many arrays and objects are open"
        case .trailing: "something follows the value"
        case .truncated: "the text ends too early"
        case .valueMissing: "a value is missing"
        }
    }
}

/// How much a reader takes on.
package struct JSONLimits: Equatable, Sendable {
    /// What one message on the wire may be.
    package static let wire = JSONLimits(depthMax: 64, bytesMax: 1 << 20)
    /// What an upstream answer or a file may be.
    package static let document = JSONLimits(depthMax: 64, bytesMax: 16 << 20, entriesMax: 1 << 20)

    /// No reader accepts a deeper limit, since trees are built and walked by recursion.
    package static let depthCeiling = 512
    /// No reader accepts a longer limit: an entry's count has 28 bits, and an element takes a byte at least.
    package static let bytesCeiling = 1 << 28 - 1

    /// How many arrays and objects may be open at a time.
    package let depthMax: Int
    /// How many bytes the text may have.
    package let bytesMax: Int
    /// How many entries the document may have, which takes sixteen bytes for each: values, and names of members.
    package let entriesMax: Int

    /// Limits above the ceilings, or below nothing, are a defect of the caller and trap.
    package init(depthMax: Int, bytesMax: Int, entriesMax: Int = .max) {
        precondition((0...Self.depthCeiling).contains(depthMax) && (0...Self.bytesCeiling).contains(bytesMax))
        self.depthMax = depthMax
        self.bytesMax = bytesMax
        self.entriesMax = entriesMax
    }
}
