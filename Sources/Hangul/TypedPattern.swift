/// What someone has typed so far, to be found in texts as they would expect.
///
/// A consonant stands for itself and for any syllable that it begins (ㄱㅇㅇ, 고ㅇㅇ). The last syllable may be unfinished,
/// and its tail the lead of the next (고야, 고양ㅇ and 과ㄴ are on the way to 고양이 and 관), unless a blank follows it. The
/// whole may have been typed in the wrong layout of the keyboard (dkssud, ㅗ디ㅣㅐ). Spaces beside Hangul, and
/// between letters and digits, make no difference.
///
/// Pure. A match costs O(n) in the text, times at most `lengthMax`.
package struct TypedPattern: Sendable {
    /// In folded letters; what is longer is no word or title that someone is typing.
    package static let lengthMax = 64
    /// Fewer letters with one slip would be found in anything.
    private static let slipLettersMin = 4
    /// The same of the keys of Hangul: two syllables of two keys each are one slip from most others.
    private static let slipKeysMin = 5

    /// The ways to read it: as it was typed, then those in the other layout.
    package let readings: [TypedReading]
    /// The keys of all its letters.
    package let keys: [Unicode.Scalar]

    /// Nil when nothing is left of the text after folding, or more than `lengthMax`.
    ///
    /// - Parameters:
    ///   - text: What has been typed.
    ///   - inOtherLayout: Whether it may have been typed in the wrong layout.
    package init?(_ text: String, inOtherLayout: Bool = true) {
        let folded = FoldedText(text)
        guard !folded.isEmpty, folded.scalars.count <= Self.lengthMax else { return nil }
        let isEnded = text.unicodeScalars.last?.properties.isWhitespace == true
        let spellings = TypedSpellings(folded)
        var readings = spellings.all.map { TypedReading($0, isOtherLayout: false, isEnded: isEnded) }
        if inOtherLayout, let other = WrongLayout.reading(of: text, folded) {
            readings += TypedSpellings(other).all.map { TypedReading($0, isOtherLayout: true, isEnded: isEnded) }
        }
        self.readings = readings
        keys = KeyboardLayout.keys(of: folded.scalars)
    }

    /// The best way in which it stands in a text, but for slips; nil when it does not.
    ///
    /// - Parameters:
    ///   - text: What is looked through.
    ///   - atWords: Whether only the beginnings of words count.
    /// - Returns: In what way, and where.
    package func match(in text: FoldedText, atWords: Bool = false) -> TypedMatch? {
        readings.lazy.compactMap { $0.match(in: text, atWords: atWords) }.min()
    }

    /// Whether a text begins with it, but for slips.
    package func begins(_ text: FoldedText) -> Bool { readings.contains { $0.begins(text) } }

    /// Whether one with a slip can be looked for.
    package var maySlip: Bool {
        keys.count >= (keys.contains(where: Jamo.isLetter) ? Self.slipKeysMin : Self.slipLettersMin)
    }

    /// Whether a word of the text begins with it but for one slip.
    package func slips(in text: FoldedText) -> TypedMatch? {
        guard maySlip else { return nil }
        for start in text.scalars.indices where text.wordBegins[start] {
            let end = min(text.scalars.count, start + keys.count + 2)
            if OneSlip.isBeginning(keys, of: KeyboardLayout.keys(of: text.scalars[start..<end])) {
                return TypedMatch(form: .slip, position: start == 0 ? .beginning : .word)
            }
        }
        return nil
    }
}

/// How what someone typed stands in a text; the lesser is the better.
package struct TypedMatch: Comparable, Hashable, Sendable {
    /// In what way the letters agree.
    package enum Form: Int, Comparable, Sendable {
        /// Letter by letter.
        case exact
        /// The last syllable is still being typed.
        case unfinished
        /// Consonants stand for the syllables that they begin.
        case initials
        /// The keyboard was in the wrong layout.
        case layout
        /// One key is missing, too many, wrong or swapped with the next.
        case slip

        package static func < (left: Form, right: Form) -> Bool { left.rawValue < right.rawValue }
    }

    /// Where the match stands.
    package enum Position: Int, Comparable, Sendable {
        /// It is the whole text.
        case whole
        /// The text begins with it.
        case beginning
        /// A word begins with it.
        case word
        case inside

        package static func < (left: Position, right: Position) -> Bool { left.rawValue < right.rawValue }
    }

    /// No match is worse.
    package static let worst = TypedMatch(form: .slip, position: .inside)

    package let form: Form
    package let position: Position

    package static func < (left: TypedMatch, right: TypedMatch) -> Bool {
        (left.form, left.position) < (right.form, right.position)
    }
}

/// Whether someone is in the middle of a syllable.
package enum HalfTyped {
    /// Whether a text in normal form C ends in a single letter of Hangul behind a syllable, as 고양ㅇ does.
    ///
    /// Several in a row, as ㅋㅋㅋ, are what people write.
    ///
    /// - Parameters:
    ///   - text: What has been typed so far.
    ///   - whileTyping: Whether a single letter that begins a word counts, too.
    /// - Returns: Whether its last syllable is not done.
    package static func isEnd(of text: String, whileTyping: Bool) -> Bool {
        let scalars = text.unicodeScalars
        guard let last = scalars.last, isSingle(last) else { return false }
        guard let before = scalars.dropLast().last, before != " " else { return whileTyping }
        return Syllable(before) != nil
    }

    /// Compatibility letters, halfwidth ones, and leads that no vowel follows.
    private static func isSingle(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3131...0x318E, 0xFFA1...0xFFDC, 0x1100...0x115F: true
        default: false
        }
    }
}

/// Whether two texts differ by one slip of the finger: a key missing, too many, wrong, or swapped with the next.
enum OneSlip {
    /// Whether `typed` is the beginning of a text but for at most one slip; both in keys.
    ///
    /// - Complexity: O(n) in what was typed.
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
