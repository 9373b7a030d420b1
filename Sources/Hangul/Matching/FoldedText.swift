/// A text as it is compared with what someone types: the letters, digits and symbols of its words, in one spelling.
///
/// Normal forms, case, width and accents make no difference; blanks, punctuation and apostrophes are left out, but where
/// a word begins is known. Lone compound letters stand as the two that type them: ㄳ is ㄱㅅ.
package struct FoldedText: Hashable, Sendable {
    package private(set) var scalars: [Unicode.Scalar] = []
    /// Whether a word begins at each of them.
    package private(set) var wordBegins: [Bool] = []

    package init() {}

    /// - Complexity: O(n) in the text.
    package init(_ text: String) {
        scalars.reserveCapacity(text.utf8.count / 2)
        wordBegins.reserveCapacity(text.utf8.count / 2)
        var wordPending = true
        append(text, wordPending: &wordPending)
    }

    /// Adds more of the same text; `wordPending` reports whether its next letter begins a word.
    package mutating func append(_ text: String, wordPending: inout Bool) {
        for scalar in NormalForm.composed(CharacterWidth.folded(text)) {
            // Most of what there is, before anything is looked up.
            if Syllable(scalar) != nil || ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) {
                append(scalar, &wordPending)
            } else if scalar == " " {
                wordPending = true
            } else {
                switch Self.effect(of: scalar) {
                case .ignored: break
                case .separator: wordPending = true
                case .letters(let letters): for letter in letters { append(letter, &wordPending) }
                }
            }
        }
    }

    private mutating func append(_ letter: Unicode.Scalar, _ wordPending: inout Bool) {
        scalars.append(letter)
        wordBegins.append(wordPending)
        wordPending = false
    }

    package var isEmpty: Bool { scalars.isEmpty }

    /// The letters of each word.
    package var words: [ArraySlice<Unicode.Scalar>] {
        let begins = scalars.indices.filter { wordBegins[$0] }
        return zip(begins, begins.dropFirst() + [scalars.count]).map { scalars[$0..<$1] }
    }

    /// Whether what people look for may begin at a letter: any syllable, and any letter of a script without spaces; of
    /// all others the first of a word.
    package func mayBegin(at index: Int) -> Bool {
        wordBegins[index] || Self.standsAlone(scalars[index]) || Self.standsAlone(scalars[index - 1])
    }

    /// Hangul, kana and ideographs.
    private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        Syllable(scalar) != nil || (0x3040...0xA4CF).contains(scalar.value)
    }

    private enum Effect {
        case ignored
        case separator
        case letters([Unicode.Scalar])
    }

    /// What any other scalar of a composed text adds.
    private static func effect(of scalar: Unicode.Scalar) -> Effect {
        let letter = Jamo.compatibility(scalar)
        if Jamo.isLetter(letter) {
            var letters: [Unicode.Scalar] = []
            Jamo.appendKeys(of: letter, to: &letters)
            return .letters(letters)
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .surrogate: return .ignored
        case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: return .separator
        case .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .connectorPunctuation:
            return .separator
        case .finalPunctuation, .otherPunctuation:
            if scalar == "'" || scalar == "\u{2019}" { return .ignored }
            // A part of names: C#.
            return scalar == "#" ? .letters([scalar]) : .separator
        default: return .letters(PlainLetters.of(scalar))
        }
    }
}
