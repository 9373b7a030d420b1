/// Repeatable choices: the same parts always give the same sequence.
struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ parts: UInt64...) {
        state = parts.reduce(0x5EA2_C4D5_EED0_0001) { Self.mix($0 ^ Self.mix($1)) }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// A number from 0 to `sides` − 1.
    mutating func roll(_ sides: Int) -> Int {
        precondition(sides > 0, "dice need a side")
        return Int(truncatingIfNeeded: next() >> 33) % sides
    }

    /// A number of a closed range.
    mutating func roll(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + roll(range.upperBound - range.lowerBound + 1)
    }

    /// True in `part` of `whole` throws.
    mutating func chance(_ part: Int, of whole: Int) -> Bool {
        roll(whole) < part
    }

    /// One of the choices.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[roll(choices.count)]
    }

    /// A string of characters out of an alphabet.
    mutating func text(_ count: Int, of alphabet: StaticAlphabet) -> String {
        String(decoding: (0..<count).map { _ in pick(alphabet.bytes) }, as: UTF8.self)
    }

    /// The finaliser of SplitMix64: a bijection in which every input bit moves half of the output bits.
    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A hash of a text that is the same in every run, unlike `Hashable`'s.
    static func hash(_ text: some StringProtocol) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return mix(hash)
    }
}

/// The characters that made-up identifiers consist of.
struct StaticAlphabet: Sendable {
    let bytes: [UInt8]

    static let lowercase = StaticAlphabet(bytes: Array("abcdefghijklmnopqrstuvwxyz".utf8))
    static let digits = StaticAlphabet(bytes: Array("0123456789".utf8))
    static let base64URL = StaticAlphabet(
        bytes: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    )
}
