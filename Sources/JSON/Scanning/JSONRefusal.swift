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
