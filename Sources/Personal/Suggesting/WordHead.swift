/// The beginning of what someone types, to be compared with the beginnings of words.
///
/// A beginning is the first eight letters, one byte each, the first in the highest byte; 0 after the last. Different
/// letters may share a byte, so a match must be checked against the text.
struct WordHead: Sendable {
    static let lettersMax = 8

    let bits: UInt64
    private let count: Int

    init(_ letters: some Sequence<Unicode.Scalar>) {
        let codes = letters.prefix(Self.lettersMax).map(Self.code)
        count = codes.count
        bits = codes.reduce(0) { $0 << 8 | $1 } << UInt64(8 * (Self.lettersMax - codes.count))
    }

    private static func code(_ letter: Unicode.Scalar) -> UInt64 {
        let value = UInt64(letter.value)
        return switch value {
        case 0x21...0x7E: value
        case 0x3131...0x3163: value - 0x3131 + 0x80
        default: 0xC0 + value % 0x40
        }
    }

    /// The bytes of its letters.
    private var mask: UInt64 { ~(UInt64.max >> UInt64(8 * count)) }

    /// Whether a word begins with it.
    func begins(_ word: UInt64) -> Bool { (bits ^ word) & mask == 0 }

    /// Whether a word may begin with it with one typo: a letter missing, too many, wrong, or swapped with the next.
    func beginsWithTypo(_ word: UInt64) -> Bool {
        let same = (bits ^ word).leadingZeroBitCount / 8
        guard same < count else { return true }
        let shift = UInt64(8 * same)
        let (typed, letters, mask) = (bits << shift, word << shift, self.mask << shift)
        // Only so many letters of the word are known after the missing one.
        let known = UInt64.max << (shift + 8)
        let isWrong = ((typed ^ letters) & mask) << 8 == 0
        let isTooMany = ((typed << 8) ^ letters) & (mask << 8) == 0
        let isMissing = (typed ^ (letters << 8)) & mask & known == 0
        let swapped = (typed << 8 & 0xFF << 56) | (typed >> 8 & 0xFF << 48) | (typed & UInt64.max >> 16)
        return isWrong || isTooMany || isMissing || (count - same > 1 && (swapped ^ letters) & mask == 0)
    }
}
