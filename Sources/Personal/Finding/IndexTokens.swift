import Hangul

/// The words of a text as the index keeps them: short, so that they repeat, and such that all that people type finds them
/// as a prefix.
///
/// Each syllable of a word begins a token of the keys from there on (`=`) and one of the initials (`_`), each a few letters
/// long; whatever else a word has is a token from its beginning. Spaces before Hangul make no difference, as they don't for
/// `TypedPattern`.
enum IndexTokens {
    /// Keys of a token of syllables, some three of them.
    static let keysMax = 8
    static let initialsMax = 5
    /// Letters of any other token.
    static let lettersMax = 16

    /// Adds the tokens of a text.
    ///
    /// - Complexity: O(n) in the text.
    static func add(_ text: FoldedText, to tokens: inout Set<String>) {
        let scalars = text.scalars
        for index in scalars.indices {
            if Jamo.isHangul(scalars[index]) {
                let run = scalars[index...].prefix(keysMax).prefix(while: Jamo.isHangul)
                tokens.insert(keys(of: run))
                tokens.insert(initials(of: run))
            } else if text.mayBegin(at: index) {
                let rest = scalars[index...].dropFirst()
                let length = zip(rest, text.wordBegins[(index + 1)...]).prefix { !Jamo.isHangul($0) && !$1 }.count
                tokens.insert(letters(of: scalars[index...(index + length)]))
            }
        }
    }

    /// The tokens of some texts, as the index is given them.
    static func tokens(of texts: [String]) -> String {
        var tokens: Set<String> = []
        for text in texts { add(FoldedText(text), to: &tokens) }
        return tokens.sorted().joined(separator: " ")
    }

    static func keys(of letters: some Sequence<Unicode.Scalar>) -> String {
        "=" + text(KeyboardLayout.keys(of: letters).prefix(keysMax).map(code))
    }

    static func initials(of letters: some Sequence<Unicode.Scalar>) -> String {
        "_" + text(letters.prefix(initialsMax).map { code(Jamo.initial(of: $0)) })
    }

    static func letters(of letters: some Sequence<Unicode.Scalar>) -> String { text(Array(letters.prefix(lettersMax))) }

    private static func text(_ scalars: [Unicode.Scalar]) -> String { String(String.UnicodeScalarView(scalars)) }

    /// A letter of Hangul in one byte: the index tells no upper case from lower, so the key of a shifted one is a digit.
    private static func code(_ letter: Unicode.Scalar) -> Unicode.Scalar { codes[letter] ?? letter }

    private static let codes = Dictionary(
        uniqueKeysWithValues: zip(
            "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ".unicodeScalars,
            "qwertyuiopasdfghjklzxcvbnm1234567".unicodeScalars
        )
    )
}
