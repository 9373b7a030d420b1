import Hangul

/// The words of a text as the index keeps them: short, so that they repeat, and such that all that people type finds
/// them as a prefix.
///
/// Each syllable of a word begins a token of the keys from there on (`=`) and one of the initials (`_`), each a few
/// letters long; any other word is a token from its beginning. Spaces before Hangul make no difference, as they don't
/// for `TypedPattern`.
struct IndexTokens {
    /// Keys of a token of syllables, some three of them.
    static let keysMax = 8
    static let initialsMax = 5
    /// Letters of any other token.
    static let lettersMax = 16

    private var tokens: Set<String> = []

    init(_ texts: [String]) {
        for text in texts { add(FoldedText(text)) }
    }

    /// All of them, each once, with blanks between: as the index is given them.
    var text: String { tokens.joined(separator: " ") }

    /// Adds the tokens of a text.
    ///
    /// - Complexity: O(n) in the text.
    private mutating func add(_ text: FoldedText) {
        let scalars = text.scalars
        var index = 0
        while index < scalars.count {
            let run = scalars[index...].prefix(while: Self.isHangul)
            guard run.isEmpty else {
                addTokens(of: run)
                index = run.endIndex
                continue
            }
            if text.mayBegin(at: index) {
                let rest = scalars[index...].dropFirst()
                let length = zip(rest, text.wordBegins[(index + 1)...]).prefix { !Jamo.isHangul($0) && !$1 }.count
                tokens.insert(Self.letters(of: scalars[index...(index + length)]))
            }
            index += 1
        }
    }

    private mutating func addTokens(of run: ArraySlice<Unicode.Scalar>) {
        var (keys, initials, starts): ([UInt8], [UInt8], [Int]) = ([], [], [])
        for letter in run {
            starts.append(keys.count)
            keys += Self.codes(of: [letter])
            initials.append(keys[starts[starts.count - 1]])
        }
        for (number, start) in starts.enumerated() {
            tokens.insert(Self.token("=", keys[start...].prefix(Self.keysMax)))
            tokens.insert(Self.token("_", initials[number...].prefix(Self.initialsMax)))
        }
    }

    private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
        (0xAC00...0xD7A3).contains(scalar.value) || (0x3131...0x3163).contains(scalar.value)
    }

    // MARK: What is looked for

    static func keys(of letters: some BidirectionalCollection<Unicode.Scalar>) -> String {
        token("=", codes(of: letters).prefix(keysMax))
    }

    static func initials(of letters: some BidirectionalCollection<Unicode.Scalar>) -> String {
        token("_", letters.prefix(initialsMax).compactMap { codes(of: [$0]).first }[...])
    }

    static func letters(of letters: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: letters.prefix(lettersMax))
        return String(text)
    }

    private static func token(_ mark: String, _ codes: ArraySlice<UInt8>) -> String {
        mark + String(decoding: codes, as: UTF8.self)
    }

    /// The keys that type letters of Hangul.
    private static func codes(of letters: some Sequence<Unicode.Scalar>) -> [UInt8] {
        KeyboardLayout.keys(of: letters).compactMap { codes[$0] }
    }

    /// The index does not distinguish upper case from lower, so the code of a shifted key is a digit.
    private static let codes = Dictionary(
        uniqueKeysWithValues: zip(
            "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ".unicodeScalars,
            "qwertyuiopasdfghjklzxcvbnm1234567".utf8
        )
    )
}
