/// The Hangul alphabet: ranks such that a lone letter comes before the syllables it begins.
enum TitleHangul {
    private static let vowelCount: UInt32 = 21
    private static let tailCount: UInt32 = 28

    /// How many of the 19 letters that begin a syllable stand before or at each compatibility consonant, from ㄱ on.
    ///
    /// One that begins none, as ㄳ, shares the number of the letter before it.
    private static let leadsUpTo: [UInt32] = [
        1, 2, 2, 3, 3, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]

    /// The rank of a syllable or letter, below 1 << 24; nil when it is no Hangul.
    static func rank(of scalar: Unicode.Scalar) -> UInt32? {
        let value = scalar.value
        switch value {
        case 0xAC00...0xD7A3:
            let (lead, rest) = (value - 0xAC00).quotientAndRemainder(dividingBy: vowelCount * tailCount)
            return rank(lead: lead, vowel: rest / tailCount + 1) + rest % tailCount
        case 0x3131...0x314E:
            let index = Int(value - 0x3131)
            let lead = leadsUpTo[index] - 1
            // The letters of one number follow each other.
            return rank(lead: lead, vowel: 0) + UInt32(index - (leadsUpTo.firstIndex(of: lead + 1) ?? index))
        case 0x314F...0x3163: return rank(lead: 19, vowel: value - 0x314F + 1)
        case 0x1100...0x1112: return rank(lead: value - 0x1100, vowel: 0)
        case 0x1161...0x1175: return rank(lead: 19, vowel: value - 0x1161 + 1)
        // Old letters and lone final ones come last, by code point.
        case 0x1113...0x11FF, 0x3165...0x318E, 0xA960...0xA97C, 0xD7B0...0xD7FB: return 1 << 20 + value
        default: return nil
        }
    }

    private static func rank(lead: UInt32, vowel: UInt32) -> UInt32 {
        (lead * (vowelCount + 1) + vowel) * tailCount
    }
}
