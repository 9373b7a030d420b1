import Hangul

/// The ways of typing that are measured.
enum TypingWay: String, CaseIterable {
    case initial = "one initial"
    case syllable = "one syllable"
    case initials = "initials"
    case half = "half a syllable"
    case word = "a word"
    case layout = "the other layout"
    case slip = "one slip"

    /// Those that libraries are searched by.
    static let ofLibrary: [TypingWay] = [.word, .initials, .half]

    /// What someone has typed who is about to type a word of two to four syllables.
    func typed(of word: String) -> String {
        let scalars = Array(word.unicodeScalars)
        return switch self {
        case .initial: Self.initials(scalars.prefix(1))
        case .syllable: String(scalars[0])
        case .initials: Self.initials((scalars + scalars).prefix(3))
        case .half: String(scalars[0]) + Self.withoutTail(scalars[1])
        case .word: word
        case .layout: KeyboardLayout.latin(typedAs: word)
        case .slip: Self.slipped(scalars)
        }
    }

    private static func initials(_ syllables: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(syllables.map(Jamo.initial)))
    }

    private static func withoutTail(_ scalar: Unicode.Scalar) -> String {
        let syllable = Syllable(scalar).flatMap { Syllable(lead: $0.lead, vowel: $0.vowel) }
        return syllable.map { String($0.scalar) } ?? ""
    }

    /// With the last two keys of the first syllables in the wrong order.
    private static func slipped(_ word: [Unicode.Scalar]) -> String {
        var keys = KeyboardLayout.keys(of: word)
        let middle = keys.count / 2
        keys.swapAt(middle - 1, middle)
        var composer = SyllableComposer()
        for key in keys { composer.type(key) }
        return composer.finish()
    }
}
