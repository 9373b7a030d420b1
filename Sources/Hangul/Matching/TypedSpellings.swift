/// The spellings that the same keys may have been meant for.
///
/// An input method makes syllables wherever it can: of 고ㅇㅇ it makes 공ㅇ, of 가ㅂㅅㅇ it makes 값ㅇ; and where it was off,
/// a syllable comes as single letters.
struct TypedSpellings {
    struct Spelling: Equatable, Sendable {
        let letters: [Unicode.Scalar]
        /// Where a word begins in it.
        let begins: [Bool]
    }

    /// The first is the text as it stands.
    let all: [Spelling]

    init(_ text: FoldedText) {
        var all = [Spelling(letters: text.scalars, begins: text.wordBegins)]
        if let composed = Self.composed(all[0]) { all.append(composed) }
        for spelling in all {
            let others = Self.withTailMoved(spelling) + [Self.withTailJoined(spelling)].compactMap(\.self)
            for other in others where !all.contains(other) { all.append(other) }
        }
        self.all = all
    }

    /// With letters that were typed one by one as the syllables that they make; nil when none are.
    private static func composed(_ spelling: Spelling) -> Spelling? {
        let letters = spelling.letters
        let isSpelledOut = letters.indices.dropFirst().contains { index in
            Jamo.isVowel(letters[index]) && Jamo.isHangul(letters[index - 1]) && !Jamo.isVowel(letters[index - 1])
        }
        guard isSpelledOut else { return nil }
        var text = FoldedText()
        for (index, begins) in spelling.begins.enumerated() where begins || index == 0 {
            let length = spelling.begins[(index + 1)...].prefix { !$0 }.count
            var composer = SyllableComposer()
            for key in KeyboardLayout.keys(of: letters[index...(index + length)]) { composer.type(key) }
            var wordPending = true
            text.append(composer.finish(), wordPending: &wordPending)
        }
        let composed = Spelling(letters: text.scalars, begins: text.wordBegins)
        return composed == spelling ? nil : composed
    }

    /// With the last key of a tail, or both, as consonants of their own where consonants follow.
    private static func withTailMoved(_ spelling: Spelling) -> [Spelling] {
        let letters = spelling.letters
        let consonants = letters.reversed().prefix(while: Jamo.isConsonant).count
        let last = letters.count - consonants - 1
        guard consonants > 0, last >= 0, let once = Syllable(letters[last])?.withTailMoved else { return [] }
        var moved = [[once.syllable.scalar, once.lead]]
        if let twice = once.syllable.withTailMoved { moved.append([twice.syllable.scalar, twice.lead, once.lead]) }
        return moved.map { moved in
            Spelling(
                letters: letters[..<last] + moved + letters[(last + 1)...],
                begins: spelling.begins[...last] + moved.dropFirst().map { _ in false } + spelling.begins[(last + 1)...]
            )
        }
    }

    /// With the consonants at the end as the tail of the syllable before them, where they make one: 과ㄴ is also 관.
    private static func withTailJoined(_ spelling: Spelling) -> Spelling? {
        let letters = spelling.letters
        let consonants = letters.reversed().prefix(while: Jamo.isConsonant).count
        let last = letters.count - consonants - 1
        guard consonants > 0, last >= 0, Syllable(letters[last]) != nil else { return nil }
        var composer = SyllableComposer()
        for key in KeyboardLayout.keys(of: letters[last...]) { composer.type(key) }
        let joined = Array(composer.finish().unicodeScalars)
        guard joined.count == 1 else { return nil }
        return Spelling(letters: letters[..<last] + joined, begins: Array(spelling.begins[...last]))
    }
}
