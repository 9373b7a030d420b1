/// Converts text that was typed in the wrong mode of a Korean keyboard (dubeolsik).
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

    /// Returns 안녕 for `dkssud`.
    package static func hangul(typedAs latin: String) -> String {
        var composer = SyllableComposer()
        for scalar in latin.unicodeScalars { composer.type(hangulOfLatin[scalar] ?? scalar) }
        return composer.finish()
    }

    /// Returns hello for `ㅗ디ㅣㅐ`.
    package static func latin(typedAs hangul: String) -> String {
        var text = String.UnicodeScalarView()
        for letter in keys(of: NormalForm.composed(hangul)) { text.append(latinOfHangul[letter] ?? letter) }
        return String(text)
    }

    /// Returns the Hangul letter of each key that types the text.
    ///
    /// Scalars without a key are not changed.
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

/// Decides whether a text was probably typed in the wrong layout, and converts it.
package enum WrongLayout {
    // Minimum numbers of keys. A shorter text is not converted, because the result would match almost anything.

    private static let latinMin = 3
    /// For Latin letters that could be an English word.
    private static let englishMin = 4
    /// For Hangul with a vowel outside of a syllable, which does not occur in Korean words.
    private static let loneVowelsMin = 2
    /// For Hangul whose keys are probably an English word.
    private static let englishHangulMin = 5
    private static let hangulMin = 4

    static func reading(of text: String, _ folded: FoldedText) -> FoldedText? {
        // A syllable has at most nine bytes in normal form D.
        guard text.utf8.count <= TypedPattern.lengthMax * 9 else { return nil }
        let letters = folded.scalars.filter { !("0"..."9").contains($0) }
        if letters.allSatisfy({ ("a"..."z").contains($0) }) {
            guard letters.count >= (EnglishSpelling.isLikely(letters) ? englishMin : latinMin) else { return nil }
            let other = FoldedText(KeyboardLayout.hangul(typedAs: text))
            return isPlausible(other, mayEndInConsonant: true) ? other : nil
        }
        guard letters.allSatisfy(Jamo.isHangul) else { return nil }
        let other = FoldedText(KeyboardLayout.latin(typedAs: text))
        let least = hasLoneVowels(letters) ? loneVowelsMin : hangulMin
        return (least...TypedPattern.lengthMax).contains(other.scalars.count) ? other : nil
    }

    private static func hasLoneVowels(_ letters: [Unicode.Scalar]) -> Bool {
        letters.contains(where: Jamo.isVowel) && !letters.allSatisfy(Jamo.isVowel)
    }

    /// Returns the text in the other layout, or nil if the result is improbable.
    package static func corrected(_ text: String) -> String? {
        let folded = FoldedText(text)
        guard let other = reading(of: text, folded) else { return nil }
        let isLatin = folded.scalars.contains { ("a"..."z").contains($0) }
        if isLatin {
            return isPlausible(other, mayEndInConsonant: false) ? KeyboardLayout.hangul(typedAs: text) : nil
        }
        let mayBeEnglish = other.scalars.count >= englishHangulMin && EnglishSpelling.isLikely(other.scalars)
        return hasLoneVowels(folded.scalars) || mayBeEnglish
            ? KeyboardLayout.latin(typedAs: text) : nil
    }

    /// Like `corrected`, but returns nil if the text could be a word in its own layout.
    package static func correctedIfCertain(_ text: String) -> String? {
        let letters = FoldedText(text).scalars
        let isWord = letters.allSatisfy(Jamo.isHangul) ? !hasLoneVowels(letters) : EnglishSpelling.isLikely(letters)
        return isWord ? nil : corrected(text)
    }

    private static func isPlausible(_ text: FoldedText, mayEndInConsonant: Bool) -> Bool {
        let letters = text.scalars.filter { !("0"..."9").contains($0) }
        let rest = letters.drop { Syllable($0) != nil }
        guard rest.count < letters.count else { return false }
        return rest.isEmpty || mayEndInConsonant && rest.count == 1 && rest.allSatisfy(Jamo.isConsonant)
    }
}

enum EnglishSpelling {
    /// The letters that can follow each letter in English words.
    ///
    /// The keys of Korean words often form other pairs.
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
