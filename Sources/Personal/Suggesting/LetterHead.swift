/// The first letters of a text, each in seven bits from the highest on: texts that begin alike follow each other in the
/// order of their heads.
struct LetterHead {
    static let lettersMax = 9
    private static let letterBits = 7

    let bits: UInt64
    let count: Int

    private init(bits: UInt64, count: Int) {
        (self.bits, self.count) = (bits, count)
    }

    init(_ letters: some Sequence<Unicode.Scalar>) {
        self.init(codes: letters.prefix(Self.lettersMax).map(Self.code))
    }

    /// Of codes of letters, as many as there is room for.
    init(codes: some Collection<UInt64>) {
        let codes = codes.prefix(Self.lettersMax)
        count = codes.count
        bits =
            codes.reduce(0) { $0 << Self.letterBits | $1 } << UInt64((Self.lettersMax - codes.count) * Self.letterBits)
    }

    /// The heads of all texts that begin with these letters.
    var range: ClosedRange<UInt64> {
        bits...(bits | (1 << UInt64((Self.lettersMax - count) * Self.letterBits) - 1))
    }

    /// With one letter more, for which there must be room.
    func followed(by code: UInt64) -> LetterHead {
        LetterHead(bits: bits | code << UInt64((Self.lettersMax - 1 - count) * Self.letterBits), count: count + 1)
    }

    /// The code of the letter at an index of a head; 0 behind its last one.
    static func code(in bits: UInt64, at index: Int) -> UInt64 {
        bits >> UInt64((lettersMax - 1 - index) * letterBits) & 127
    }

    /// 1 to 127; letters that are neither Hangul, Latin nor digits share them.
    static func code(_ letter: Unicode.Scalar) -> UInt64 {
        let value = UInt64(letter.value)
        return switch value {
        case 0x3131...0x3163: value - 0x3131 + 1
        case 0x61...0x7A: value - 0x61 + 52
        case 0x30...0x39: value - 0x30 + 78
        default: 88 + value % 40
        }
    }
}
