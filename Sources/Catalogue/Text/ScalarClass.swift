/// What becomes of a Unicode scalar in plain text.
enum ScalarClass {
    /// Stays, and is in normal form C whatever stands beside it.
    case plain
    /// Stays, but the text must be normalised: it is not in normal form C, or may compose with its neighbours.
    case composing
    /// One blank, together with the blanks around it.
    case blank
    /// Nothing: a control, something invisible that hides text, or a noncharacter.
    case removed

    init(_ scalar: UInt32) {
        switch scalar {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F, 0x205F, 0x3000:
            self = .blank
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x202A...0x202E, 0x2060...0x2069,
            0xD800...0xDFFF, 0xFDD0...0xFDEF, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            self = .removed
        case 0...0x02FF, 0x0400...0x0482, 0x048A...0x052F, 0x1E00...0x1EFF, 0x200C...0x205E, 0x2190...0x2328,
            0x232B...0x2ADB, 0x3001...0x3029, 0x3030...0x3096, 0x309B...0x318E, 0x3190...0x9FFF, 0xAC00...0xD7A3,
            0xFE00...0xFE0F, 0xFF01...0xFFEE, 0x1F000...0x1FAFF, 0x20000...0x2EBEF:
            self = .plain
        default:
            // The last two of every plane are no characters.
            self = scalar & 0xFFFE == 0xFFFE ? .removed : .composing
        }
    }
}
