/// One of the 11,172 syllables of today's Hangul, by its letters.
package struct Syllable: Hashable, Sendable {
    private static let base: UInt32 = 0xAC00
    private static let vowelCount: UInt32 = 21
    /// With the empty one.
    private static let tailCount: UInt32 = 28

    private let index: UInt32

    /// Nil when the scalar is no composed syllable.
    package init?(_ scalar: Unicode.Scalar) {
        guard (0xAC00...0xD7A3).contains(scalar.value) else { return nil }
        index = scalar.value - Self.base
    }

    /// Of compatibility letters; nil when one of them can't stand where it is to.
    package init?(lead: Unicode.Scalar, vowel: Unicode.Scalar, tail: Unicode.Scalar? = nil) {
        guard let lead = Jamo.leads.firstIndex(of: lead), let vowel = Jamo.vowels.firstIndex(of: vowel) else {
            return nil
        }
        var last = 0
        if let tail {
            guard let position = Jamo.tails.firstIndex(of: tail) else { return nil }
            last = position + 1
        }
        index = (UInt32(lead) * Self.vowelCount + UInt32(vowel)) * Self.tailCount + UInt32(last)
    }

    package var scalar: Unicode.Scalar { Unicode.Scalar(Self.base + index) ?? "가" }
    package var lead: Unicode.Scalar { Jamo.leads[Int(index / (Self.vowelCount * Self.tailCount))] }
    package var vowel: Unicode.Scalar { Jamo.vowels[Int(index / Self.tailCount % Self.vowelCount)] }

    package var tail: Unicode.Scalar? {
        let tail = Int(index % Self.tailCount)
        return tail == 0 ? nil : Jamo.tails[tail - 1]
    }

    /// The syllable without the last key of its tail, and that key as the beginning of what follows.
    ///
    /// 각 is also 가 and ㄱ; 닭 is also 달 and ㄱ. Nil without a tail.
    package var withTailMoved: (syllable: Syllable, lead: Unicode.Scalar)? {
        guard let tail else { return nil }
        let parts = Jamo.compounds[tail]
        guard let shorter = Syllable(lead: lead, vowel: vowel, tail: parts?.first) else { return nil }
        return (shorter, parts?.second ?? tail)
    }

    /// Adds the keys that type it, 2 to 5.
    func appendKeys(to keys: inout [Unicode.Scalar]) {
        keys.append(lead)
        Jamo.appendKeys(of: vowel, to: &keys)
        if let tail { Jamo.appendKeys(of: tail, to: &keys) }
    }
}
