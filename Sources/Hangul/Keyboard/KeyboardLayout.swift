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
