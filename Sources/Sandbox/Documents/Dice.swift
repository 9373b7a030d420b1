import JSON

/// A random number generator.
///
/// The same seeds give the same numbers.
struct Dice: Sendable {
    private var state: UInt64

    init(_ first: UInt64, _ second: UInt64 = 0, _ third: UInt64 = 0) {
        state = Self.mix(first ^ Self.mix(second ^ Self.mix(third)))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    mutating func roll(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(truncatingIfNeeded: next() >> 33) % (range.upperBound - range.lowerBound + 1)
    }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[roll(0...choices.count - 1)]
    }

    mutating func text(_ count: Int, of alphabet: [UInt8]) -> String {
        String(decoding: (0..<count).map { _ in pick(alphabet) }, as: UTF8.self)
    }

    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    static func hash(_ text: String) -> UInt64 { mix(StableHash.hash(text.utf8.span)) }
}
