/// Matches text that a user is still typing, in Korean or Latin letters.
///
/// - A consonant matches each syllable that begins with it: ㄱㅇㅇ matches 고양이.
/// - The last syllable may be unfinished: 고야 matches 고양이. A blank completes the syllable.
/// - The keyboard may have been in the wrong mode: dkssud matches 안녕.
/// - Spaces are optional next to Hangul, and between letters and digits.
package struct TypedPattern: Sendable {
    /// Counted in scalars of the `FoldedText`.
    package static let lengthMax = 64
    /// With fewer letters, almost any text would match with a typo.
    private static let typoLettersMin = 4
    private static let typoKeysMin = 5

    /// The first reading is the text as typed.
    package let readings: [TypedReading]
    package let keys: [Unicode.Scalar]

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

    /// Does not allow typos; with `atWords`, a match must begin at the beginning of a word.
    package func match(in text: FoldedText, atWords: Bool = false) -> TypedMatch? {
        readings.lazy.compactMap { $0.match(in: text, atWords: atWords) }.min()
    }

    package func isPrefix(of text: FoldedText) -> Bool { readings.contains { $0.isPrefix(of: text) } }

    package var allowsTypo: Bool {
        keys.count >= (keys.contains(where: Jamo.isLetter) ? Self.typoKeysMin : Self.typoLettersMin)
    }

    /// Allows one typo; the match must begin at the beginning of a word.
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

/// How a text matches a pattern; a lower value is a better match.
package struct TypedMatch: Comparable, Hashable, Sendable {
    package enum Form: Int, Comparable, Sendable {
        case exact
        case unfinished
        case initials
        case layout
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

package enum UnfinishedSyllable {
    /// Returns whether a text in normal form C ends with a syllable and a single letter, such as 고양ㅇ.
    ///
    /// With `whileTyping`, a single letter at the beginning of a word also counts.
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

/// Allows one missing, extra, wrong or swapped key.
enum SingleTypo {
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
