/// What a text says when its keys are read in the other layout of the keyboard.
package enum WrongLayout {
    /// Fewer letters in the wrong layout would be found in anything.
    private static let latinMin = 3
    /// The same of letters that might be an English word.
    private static let englishMin = 4
    /// The same of Hangul in which single vowels stand: no word has them.
    private static let brokenHangulMin = 2
    /// The same of syllables that nothing but their letters in the other layout tells from a word.
    private static let englishHangulMin = 5
    /// The same of Hangul that might be a word: many syllables are short English words.
    private static let hangulMin = 4

    /// The text in the other layout, folded, when what was typed can have been meant so; nil otherwise.
    static func reading(of text: String, _ folded: FoldedText) -> FoldedText? {
        // Normal form D takes nine bytes for a syllable.
        guard text.utf8.count <= TypedPattern.lengthMax * 9 else { return nil }
        let letters = folded.scalars.filter { !("0"..."9").contains($0) }
        if letters.allSatisfy({ ("a"..."z").contains($0) }) {
            guard letters.count >= (LatinSpelling.isLikely(letters) ? englishMin : latinMin) else { return nil }
            let other = FoldedText(KeyboardLayout.hangul(typedAs: text))
            return isPlausible(other, mayEndInConsonant: true) ? other : nil
        }
        guard letters.allSatisfy(Jamo.isHangul) else { return nil }
        let other = FoldedText(KeyboardLayout.latin(typedAs: text))
        let least = isBroken(letters) ? brokenHangulMin : hangulMin
        return (least...TypedPattern.lengthMax).contains(other.scalars.count) ? other : nil
    }

    /// Whether letters of Hangul make no word: single vowels stand among them.
    private static func isBroken(_ letters: [Unicode.Scalar]) -> Bool {
        letters.contains(where: Jamo.isVowel) && !letters.allSatisfy(Jamo.isVowel)
    }

    /// The words that were meant when a finished text was typed in the wrong layout; nil when it can't have been.
    ///
    /// Latin letters must make whole syllables; Hangul must have single vowels, or be English by its letters.
    package static func meant(by text: String) -> String? {
        let folded = FoldedText(text)
        guard let other = reading(of: text, folded) else { return nil }
        let isLatin = folded.scalars.contains { ("a"..."z").contains($0) }
        if isLatin {
            return isPlausible(other, mayEndInConsonant: false) ? KeyboardLayout.hangul(typedAs: text) : nil
        }
        let mayBeEnglish = other.scalars.count >= englishHangulMin && LatinSpelling.isLikely(other.scalars)
        return isBroken(folded.scalars) || mayBeEnglish
            ? KeyboardLayout.latin(typedAs: text) : nil
    }

    /// The same, unless the text may well be a word as it stands.
    package static func surelyMeant(by text: String) -> String? {
        let letters = FoldedText(text).scalars
        let isWord = letters.allSatisfy(Jamo.isHangul) ? !isBroken(letters) : LatinSpelling.isLikely(letters)
        return isWord ? nil : meant(by: text)
    }

    /// Whether a text is syllables; the last may be a consonant that begins one.
    private static func isPlausible(_ text: FoldedText, mayEndInConsonant: Bool) -> Bool {
        let letters = text.scalars.filter { !("0"..."9").contains($0) }
        let rest = letters.drop { Syllable($0) != nil }
        guard rest.count < letters.count else { return false }
        return rest.isEmpty || mayEndInConsonant && rest.count == 1 && rest.allSatisfy(Jamo.isConsonant)
    }
}

/// Whether letters could be English.
enum LatinSpelling {
    /// By letter, those that follow it in English words; keys of Korean words follow each other in other ways.
    private static let followers: [Unicode.Scalar: Set<Unicode.Scalar>] = [
        "a": "bcdefgiklmnprstuvwxyz", "b": "aebijlorsuy", "c": "aehiklortuy", "d": "adegilmnorsuvwy",
        "e": "abcdefghilmnopqrstuvwxyz", "f": "aefilortuy", "g": "aeghilnorsuy", "h": "aeinortuy",
        "i": "abcdefgklmnoprstuvxz", "j": "aeou", "k": "eilnosy", "l": "abcdefgiklmnopstuvy", "m": "abefimnopsuy",
        "n": "acdefgijklnostuvy", "o": "abcdefghiklmnoprstuvwxyz", "p": "aehiloprstuy", "q": "u",
        "r": "abcdefgiklmnoprstuvwy", "s": "acehiklmnopqrstuwy", "t": "acehilmorstuwyz", "u": "abcdefgiklmnoprstvxyz",
        "v": "aeioy", "w": "aehilnorsy", "x": "aceiptuy", "y": "abcdeilmnoprstuw", "z": "aeiloyz",
    ].mapValues { (letters: String) in Set(letters.unicodeScalars) }

    static func isLikely(_ letters: [Unicode.Scalar]) -> Bool {
        let pairs = zip(letters, letters.dropFirst())
        let isTripled = zip(pairs, letters.dropFirst(2)).contains { $0.0 == $0.1 && $0.1 == $1 }
        return !isTripled && pairs.allSatisfy { followers[$0]?.contains($1) ?? true }
    }
}
