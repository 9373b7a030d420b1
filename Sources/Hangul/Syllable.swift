/// A syllable of modern Hangul: an initial consonant (lead), a vowel, and possibly final consonants (tail).
package struct Syllable: Hashable, Sendable {
    private static let base: UInt32 = 0xAC00
    private static let vowelCount: UInt32 = 21
    private static let tailCount: UInt32 = 28

    private let index: UInt32

    package init?(_ scalar: Unicode.Scalar) {
        guard (0xAC00...0xD7A3).contains(scalar.value) else { return nil }
        index = scalar.value - Self.base
    }

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

    /// Separates the last key of the tail: 각 becomes 가 and ㄱ, and 닭 becomes 달 and ㄱ.
    package var withTailMoved: (syllable: Syllable, lead: Unicode.Scalar)? {
        guard let tail else { return nil }
        let parts = Jamo.compounds[tail]
        guard let shorter = Syllable(lead: lead, vowel: vowel, tail: parts?.first) else { return nil }
        return (shorter, parts?.second ?? tail)
    }

    func appendKeys(to keys: inout [Unicode.Scalar]) {
        keys.append(lead)
        Jamo.appendKeys(of: vowel, to: &keys)
        if let tail { Jamo.appendKeys(of: tail, to: &keys) }
    }
}

/// The letters of Hangul, as the code points U+3131 to U+3163, which keyboards type.
package enum Jamo {
    static let leads = scalars("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
    static let vowels = scalars("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ")
    static let tails = scalars("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")

    static let compounds: [Unicode.Scalar: (first: Unicode.Scalar, second: Unicode.Scalar)] = [
        "ㄳ": ("ㄱ", "ㅅ"), "ㄵ": ("ㄴ", "ㅈ"), "ㄶ": ("ㄴ", "ㅎ"), "ㄺ": ("ㄹ", "ㄱ"), "ㄻ": ("ㄹ", "ㅁ"), "ㄼ": ("ㄹ", "ㅂ"),
        "ㄽ": ("ㄹ", "ㅅ"), "ㄾ": ("ㄹ", "ㅌ"), "ㄿ": ("ㄹ", "ㅍ"), "ㅀ": ("ㄹ", "ㅎ"), "ㅄ": ("ㅂ", "ㅅ"), "ㅘ": ("ㅗ", "ㅏ"),
        "ㅙ": ("ㅗ", "ㅐ"), "ㅚ": ("ㅗ", "ㅣ"), "ㅝ": ("ㅜ", "ㅓ"), "ㅞ": ("ㅜ", "ㅔ"), "ㅟ": ("ㅜ", "ㅣ"), "ㅢ": ("ㅡ", "ㅣ"),
    ]

    static func compound(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        compounds.first { $0.value == (first, second) }?.key
    }

    package static func isConsonant(_ scalar: Unicode.Scalar) -> Bool { (0x3131...0x314E).contains(scalar.value) }

    package static func isVowel(_ scalar: Unicode.Scalar) -> Bool { (0x314F...0x3163).contains(scalar.value) }

    package static func isHangul(_ scalar: Unicode.Scalar) -> Bool { isLetter(scalar) || Syllable(scalar) != nil }

    static func isFiller(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x115F, 0x1160, 0x3164, 0xFFA0: true
        default: false
        }
    }

    package static func isLetter(_ scalar: Unicode.Scalar) -> Bool { isConsonant(scalar) || isVowel(scalar) }

    /// Converts a conjoining letter to a compatibility letter, and any other scalar to ordinary width.
    static func compatibility(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x1100...0x1112: leads[Int(scalar.value - 0x1100)]
        case 0x1161...0x1175: vowels[Int(scalar.value - 0x1161)]
        case 0x11A8...0x11C2: tails[Int(scalar.value - 0x11A8)]
        default: CharacterWidth.folded(scalar)
        }
    }

    package static func initial(of letter: Unicode.Scalar) -> Unicode.Scalar { Syllable(letter)?.lead ?? letter }

    static func appendKeys(of letter: Unicode.Scalar, to keys: inout [Unicode.Scalar]) {
        guard let parts = compounds[letter] else { return keys.append(letter) }
        keys.append(parts.first)
        keys.append(parts.second)
    }

    private static func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}

/// Joins typed letters into syllables, as an input method does; letters that do not fit remain single.
package struct SyllableComposer {
    private var lead: Unicode.Scalar?
    private var vowel: Unicode.Scalar?
    private var tail: Unicode.Scalar?
    private(set) var text = String.UnicodeScalarView()

    package init() {}

    package mutating func type(_ scalar: Unicode.Scalar) {
        if Jamo.isConsonant(scalar) {
            typeConsonant(scalar)
        } else if Jamo.isVowel(scalar) {
            typeVowel(scalar)
        } else {
            endSyllable()
            text.append(scalar)
        }
    }

    package consuming func finish() -> String {
        endSyllable()
        return String(text)
    }

    private mutating func typeConsonant(_ letter: Unicode.Scalar) {
        if lead != nil, vowel != nil {
            if let tail {
                if let both = Jamo.compound(tail, letter), Jamo.tails.contains(both) {
                    self.tail = both
                    return
                }
            } else if Jamo.tails.contains(letter) {
                tail = letter
                return
            }
        }
        endSyllable()
        if Jamo.leads.contains(letter) { lead = letter } else { text.append(letter) }
    }

    private mutating func typeVowel(_ letter: Unicode.Scalar) {
        if let tail {
            let parts = Jamo.compounds[tail]
            self.tail = parts?.first
            endSyllable()
            lead = parts?.second ?? tail
            vowel = letter
        } else if let vowel {
            if let both = Jamo.compound(vowel, letter) {
                self.vowel = both
            } else {
                endSyllable()
                self.vowel = letter
            }
        } else {
            vowel = letter
        }
    }

    private mutating func endSyllable() {
        if let lead, let vowel, let syllable = Syllable(lead: lead, vowel: vowel, tail: tail) {
            text.append(syllable.scalar)
        } else if let letter = lead ?? vowel {
            text.append(letter)
        }
        (lead, vowel, tail) = (nil, nil, nil)
    }
}
