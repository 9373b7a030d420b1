import Hangul

/// The first few keys of a Korean text, a byte each, packed into a number: an item has hundreds of them, which are made
/// and compared as one word each.
///
/// The index tells no upper case from lower, so the code of a shifted key is a digit.
struct KeyCodes: Comparable {
    static let lengthMax = 8

    /// The first in the highest byte; 0 where there is none.
    private var bits: UInt64 = 0

    init() {}

    /// The keys that type a letter of Hangul; none for any other.
    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0xAC00...0xD7A3:
            let index = Int(scalar.value - 0xAC00)
            self = Self.tails[index % 28]
            prepend(Self.vowels[index / 28 % 21])
            prepend(Self.leads[index / 588])
        case 0x3131...0x3163: self = Self.letters[Int(scalar.value - 0x3131)]
        default: break
        }
    }

    private init(keys: some BidirectionalCollection<Unicode.Scalar>) {
        for key in keys.prefix(Self.lengthMax).reversed() { bits = bits >> 8 | Self.codes[key, default: 0] << 56 }
    }

    static func < (left: KeyCodes, right: KeyCodes) -> Bool { left.bits < right.bits }

    var isEmpty: Bool { bits == 0 }
    private var count: Int { Self.lengthMax - bits.trailingZeroBitCount / 8 }

    func prefix(_ count: Int) -> KeyCodes {
        var prefix = self
        prefix.bits &= ~(UInt64.max >> (8 * count))
        return prefix
    }

    /// Puts others before them; what is too much at the end is dropped.
    mutating func prepend(_ other: KeyCodes) {
        bits = other.bits | bits >> (8 * other.count)
    }

    func append(to text: inout [UInt8]) {
        for index in 0..<count { text.append(UInt8(truncatingIfNeeded: bits >> (56 - 8 * index))) }
    }

    // MARK: The tables

    private static let codes = Dictionary(
        uniqueKeysWithValues: zip(
            "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ".unicodeScalars,
            "qwertyuiopasdfghjklzxcvbnm1234567".unicodeScalars.map { UInt64($0.value) }
        )
    )
    private static let leads = syllables(19, step: 588).map { KeyCodes(keys: $0.prefix(1)) }
    private static let vowels = syllables(21, step: 28).map { KeyCodes(keys: $0.dropFirst()) }
    private static let tails = syllables(28, step: 1).map { KeyCodes(keys: $0.dropFirst(2)) }
    private static let letters = (0x3131...0x3163).map { value in
        KeyCodes(keys: KeyboardLayout.keys(of: [value].compactMap(Unicode.Scalar.init)))
    }

    /// The keys of so many syllables from 가 on.
    private static func syllables(_ count: Int, step: Int) -> [[Unicode.Scalar]] {
        (0..<count).map { KeyboardLayout.keys(of: [0xAC00 + $0 * step].compactMap(Unicode.Scalar.init)) }
    }
}
