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

    /// What someone has typed who is about to type a word of two to four syllables.
    func typed(of word: String) -> String {
        let scalars = Array(word.unicodeScalars)
        return switch self {
        case .initial: LibraryQueryWay.initials.typed(of: word).unicodeScalars.first.map { String($0) } ?? word
        case .syllable: String(scalars[0])
        case .initials: LibraryQueryWay.initials.typed(of: word)
        case .half: LibraryQueryWay.half.typed(of: word)
        case .word: word
        case .layout: KeyboardLayout.latin(typedAs: word)
        case .slip: Self.slipped(scalars)
        }
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
