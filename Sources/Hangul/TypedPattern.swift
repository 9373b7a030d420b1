/// Matches partially typed text, as Korean users expect it.
///
/// - A consonant also matches any syllable that it begins: ㄱㅇㅇ and 고ㅇㅇ match 고양이.
/// - The last syllable may be unfinished, and its tail may be the lead of the next syllable: 고야 matches 고양이, and 과ㄴ
///   matches 관. If a blank follows, the syllable is complete.
/// - The text may have been typed in the wrong keyboard layout: dkssud, ㅗ디ㅣㅐ.
/// - Spaces next to Hangul, and between letters and digits, are optional.
///
/// A match costs O(n × m) in the lengths of the text and the pattern.
package struct TypedPattern: Sendable {
    /// The maximum length of a pattern, in folded letters.
    package static let lengthMax = 64
    /// The minimum number of letters for a match with a typo, because fewer would match almost anything.
    private static let typoLettersMin = 4
    /// The minimum number of keys of Hangul for a match with a typo, because four keys would match most words.
    private static let typoKeysMin = 5

    /// The interpretations of the text: first as typed, then in the other layout.
    package let readings: [TypedReading]
    package let keys: [Unicode.Scalar]

    /// Fails if the folded text is empty or longer than `lengthMax`.
    package init?(_ text: String, inOtherLayout: Bool = true) {
        let folded = FoldedText(text)
        guard !folded.isEmpty, folded.scalars.count <= Self.lengthMax else { return nil }
        let endsWithBlank = text.unicodeScalars.last?.properties.isWhitespace == true
        let spellings = TypedSpellings(folded)
        var readings = spellings.all.map { TypedReading($0, isWrongLayout: false, endsWithBlank: endsWithBlank) }
        if inOtherLayout, let other = WrongLayout.reading(of: text, folded) {
            readings += TypedSpellings(other).all.map {
                TypedReading($0, isWrongLayout: true, endsWithBlank: endsWithBlank)
            }
        }
        self.readings = readings
        keys = KeyboardLayout.keys(of: folded.scalars)
    }

    /// Returns the best match without typos; with `atWords`, a match must begin at the beginning of a word.
    package func match(in text: FoldedText, atWords: Bool = false) -> TypedMatch? {
        readings.lazy.compactMap { $0.match(in: text, atWords: atWords) }.min()
    }

    package func isPrefix(of text: FoldedText) -> Bool { readings.contains { $0.isPrefix(of: text) } }

    package var allowsTypo: Bool {
        keys.count >= (keys.contains(where: Jamo.isLetter) ? Self.typoKeysMin : Self.typoLettersMin)
    }

    /// Returns a match at the beginning of a word with at most one typo, or nil if there is none.
    package func matchWithTypo(in text: FoldedText) -> TypedMatch? {
        guard allowsTypo else { return nil }
        for start in text.scalars.indices where text.wordBegins[start] {
            let end = min(text.scalars.count, start + keys.count + 2)
            if SingleTypo.isBeginning(keys, of: KeyboardLayout.keys(of: text.scalars[start..<end])) {
                return TypedMatch(form: .typo, position: start == 0 ? .beginning : .word)
            }
        }
        return nil
    }
}

/// How a pattern matches a text; a lower value is a better match.
package struct TypedMatch: Comparable, Hashable, Sendable {
    package enum Form: Int, Comparable, Sendable {
        case exact
        case unfinished
        /// Some consonants match syllables that they begin.
        case initials
        case layout
        /// One key is missing, extra, wrong or swapped with the next key.
        case typo

        package static func < (left: Form, right: Form) -> Bool { left.rawValue < right.rawValue }
    }

    package enum Position: Int, Comparable, Sendable {
        case whole
        case beginning
        case word
        case inside

        package static func < (left: Position, right: Position) -> Bool { left.rawValue < right.rawValue }
    }

    package let form: Form
    package let position: Position

    package static func < (left: TypedMatch, right: TypedMatch) -> Bool {
        (left.form, left.position) < (right.form, right.position)
    }
}

/// Detects a syllable that is still being typed.
package enum UnfinishedSyllable {
    /// Returns whether a text in normal form C ends with a syllable and a single Hangul letter, such as 고양ㅇ.
    ///
    /// With `whileTyping`, also returns true for a single letter at the beginning of a word. Several letters are
    /// complete.
    package static func isEnd(of text: String, whileTyping: Bool) -> Bool {
        let scalars = text.unicodeScalars
        guard let last = scalars.last, isSingle(last) else { return false }
        guard let before = scalars.dropLast().last, before != " " else { return whileTyping }
        return Syllable(before) != nil
    }

    private static func isSingle(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3131...0x318E, 0xFFA1...0xFFDC, 0x1100...0x115F: true
        default: false
        }
    }
}

/// Compares keys and allows one typo: a missing, extra, wrong or swapped key.
enum SingleTypo {
    /// Returns whether `text` begins with `typed`, with at most one typo.
    ///
    /// - Complexity: O(n) in `typed`.
    static func isBeginning(_ typed: [Unicode.Scalar], of text: [Unicode.Scalar]) -> Bool {
        let same = zip(typed, text).prefix { $0 == $1 }.count
        guard same < typed.count else { return true }
        let (typedRest, rest) = (typed[same...], text[same...])
        return rest.starts(with: typedRest.dropFirst()) || rest.dropFirst().starts(with: typedRest)
            || rest.dropFirst().starts(with: typedRest.dropFirst()) && !rest.isEmpty
            || isSwapped(typedRest, rest)
    }

    private static func isSwapped(_ typed: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard typed.count >= 2, text.count >= 2 else { return false }
        return typed.prefix(2).elementsEqual(text.prefix(2).reversed())
            && text.dropFirst(2).starts(with: typed.dropFirst(2))
    }
}
