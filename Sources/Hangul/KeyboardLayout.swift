/// The two-set layout, on which one key is a letter of Hangul in one mode and a Latin letter in the other.
///
/// A text that was typed in the wrong mode is turned into what was meant, either way. Capitals are shifted keys; where
/// shift makes no other letter of Hangul, it makes no difference.
package enum KeyboardLayout {
    private static let plainKeys: [(latin: Unicode.Scalar, hangul: Unicode.Scalar)] = Array(
        zip("qwertyuiopasdfghjklzxcvbnm".unicodeScalars, "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ".unicodeScalars)
    )
    private static let shiftedKeys: [(latin: Unicode.Scalar, hangul: Unicode.Scalar)] = Array(
        zip("QWERTOP".unicodeScalars, "ㅃㅉㄸㄲㅆㅒㅖ".unicodeScalars)
    )
    private static let capitals = zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars,
        "abcdefghijklmnopqrstuvwxyz".unicodeScalars
    )

    private static let latinOfHangul = Dictionary(
        uniqueKeysWithValues: (plainKeys + shiftedKeys).map { ($0.hangul, $0.latin) }
    )
    private static let hangulOfLatin: [Unicode.Scalar: Unicode.Scalar] = {
        var keys = Dictionary(uniqueKeysWithValues: (plainKeys + shiftedKeys).map { ($0.latin, $0.hangul) })
        for (capital, small) in capitals where keys[capital] == nil { keys[capital] = keys[small] }
        return keys
    }()

    /// What the keys of a Latin text type in the mode of Hangul: 안녕 for `dkssud`.
    ///
    /// - Complexity: O(n) in the text.
    package static func hangul(typedAs latin: String) -> String {
        var composer = SyllableComposer()
        for scalar in latin.unicodeScalars { composer.type(hangulOfLatin[scalar] ?? scalar) }
        return composer.finish()
    }

    /// What the keys of a Korean text type in the Latin mode: hello for `ㅗ디ㅣㅐ`.
    ///
    /// Takes any normal form. - Complexity: O(n) in the text.
    package static func latin(typedAs hangul: String) -> String {
        var text = String.UnicodeScalarView()
        for letter in keys(of: NormalForm.composed(hangul)) { text.append(latinOfHangul[letter] ?? letter) }
        return String(text)
    }

    /// The keys that type a composed text, each as the letter on it; what no key types stands as it is.
    package static func keys(of text: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
        var keys: [Unicode.Scalar] = []
        for scalar in text {
            if let syllable = Syllable(scalar) {
                syllable.appendKeys(to: &keys)
            } else {
                Jamo.appendKeys(of: Jamo.compatibility(scalar), to: &keys)
            }
        }
        return keys
    }
}

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
