package struct JSONError: Error, Equatable, Sendable {
    package enum Code: Sendable {
        case duplicateName
        case notUTF8
        case syntax
        case tooDeep
        case tooLong
    }

    package let code: Code
    package let offset: Int
    /// Contains no part of the text.
    package let message: String

    package init(_ code: Code, at offset: Int, _ message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }

    static func tooLong(_ limits: JSONLimits) -> JSONError {
        JSONError(.tooLong, at: limits.bytesMax, "the text is longer than \(limits.bytesMax) bytes")
    }
}

/// Why a text is not accepted, with the message.
enum JSONRefusal: String, Error {
    case byteOrderMark = "a JSON text must not begin with a byte order mark"
    case colonMissing = "a colon is missing"
    case controlCharacter = "a control character in a string must be escaped"
    case digitMissing = "a digit is missing"
    case escapeUnknown = "unknown escape"
    case hexadecimalMissing = "four hexadecimal digits must follow \\u"
    case leadingZero = "a number must not begin with a zero"
    case nameMissing = "a member name in quotes is missing"
    case notUTF8 = "the bytes are not valid UTF-8"
    case separatorMissing = "a comma or the closing bracket is missing"
    case tooDeep = "too many nested arrays and objects"
    case tooManyEntries = "the text has too many values and names"
    case trailing = "unexpected text after the value"
    case truncated = "the text ends too early"
    case valueMissing = "a value is missing"

    var code: JSONError.Code {
        switch self {
        case .notUTF8: .notUTF8
        case .tooDeep: .tooDeep
        case .tooManyEntries: .tooLong
        default: .syntax
        }
    }
}

package struct JSONLimits: Equatable, Sendable {
    package static let wire = JSONLimits(depthMax: 64, bytesMax: 1 << 20)
    package static let document = JSONLimits(depthMax: 64, bytesMax: 16 << 20, entriesMax: 1 << 20)

    package let depthMax: Int
    package let bytesMax: Int
    /// Each value and each member name is an entry of 16 bytes.
    package let entriesMax: Int

    package init(depthMax: Int, bytesMax: Int, entriesMax: Int = .max) {
        precondition((0...512).contains(depthMax) && (0..<1 << 28).contains(bytesMax))
        self.depthMax = depthMax
        self.bytesMax = bytesMax
        self.entriesMax = entriesMax
    }
}
