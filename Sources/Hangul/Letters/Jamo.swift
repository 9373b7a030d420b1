/// The letters of Hangul, each as its compatibility letter (U+3131 to U+3163): what a keyboard types and a font shows
/// alone.
package enum Jamo {
    /// The consonants that begin a syllable, in the order of the alphabet.
    static let leads = scalars("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
    static let vowels = scalars("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ")
    /// What ends a syllable, without the empty one.
    static let tails = scalars("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")

    /// Letters that are typed as two: the clusters that end a syllable, and the vowels that two keys make.
    static let compounds: [Unicode.Scalar: (first: Unicode.Scalar, second: Unicode.Scalar)] = [
        "ㄳ": ("ㄱ", "ㅅ"), "ㄵ": ("ㄴ", "ㅈ"), "ㄶ": ("ㄴ", "ㅎ"), "ㄺ": ("ㄹ", "ㄱ"), "ㄻ": ("ㄹ", "ㅁ"), "ㄼ": ("ㄹ", "ㅂ"),
        "ㄽ": ("ㄹ", "ㅅ"), "ㄾ": ("ㄹ", "ㅌ"), "ㄿ": ("ㄹ", "ㅍ"), "ㅀ": ("ㄹ", "ㅎ"), "ㅄ": ("ㅂ", "ㅅ"), "ㅘ": ("ㅗ", "ㅏ"),
        "ㅙ": ("ㅗ", "ㅐ"), "ㅚ": ("ㅗ", "ㅣ"), "ㅝ": ("ㅜ", "ㅓ"), "ㅞ": ("ㅜ", "ㅔ"), "ㅟ": ("ㅜ", "ㅣ"), "ㅢ": ("ㅡ", "ㅣ"),
    ]

    /// The letter that two typed ones make, if they make one.
    static func compound(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        compounds.first { $0.value == (first, second) }?.key
    }

    package static func isConsonant(_ scalar: Unicode.Scalar) -> Bool { (0x3131...0x314E).contains(scalar.value) }

    package static func isVowel(_ scalar: Unicode.Scalar) -> Bool { (0x314F...0x3163).contains(scalar.value) }

    /// Whether a scalar is a compatibility letter, or a syllable.
    package static func isHangul(_ scalar: Unicode.Scalar) -> Bool { isLetter(scalar) || Syllable(scalar) != nil }

    /// Whether a scalar stands for a letter that is missing, and shows nothing.
    static func isFiller(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x115F, 0x1160, 0x3164, 0xFFA0: true
        default: false
        }
    }

    /// Whether a scalar is a lone letter of today's Hangul, as a compatibility letter.
    package static func isLetter(_ scalar: Unicode.Scalar) -> Bool { isConsonant(scalar) || isVowel(scalar) }

    /// The compatibility letter of a lone conjoining or halfwidth one; any other scalar as it is.
    ///
    /// Letters of old Hangul have none and stay.
    static func compatibility(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x1100...0x1112: leads[Int(scalar.value - 0x1100)]
        case 0x1161...0x1175: vowels[Int(scalar.value - 0x1161)]
        case 0x11A8...0x11C2: tails[Int(scalar.value - 0x11A8)]
        default: CharacterWidth.folded(scalar)
        }
    }

    /// The consonant with which a syllable begins; any other letter is its own initial.
    package static func initial(of letter: Unicode.Scalar) -> Unicode.Scalar { Syllable(letter)?.lead ?? letter }

    /// Adds the keys that type a lone letter: two of a compound one.
    static func appendKeys(of letter: Unicode.Scalar, to keys: inout [Unicode.Scalar]) {
        guard let parts = compounds[letter] else { return keys.append(letter) }
        keys.append(parts.first)
        keys.append(parts.second)
    }

    private static func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
}
