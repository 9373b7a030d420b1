/// What a query is about: its words, and how many documents match them.
struct Topic: Hashable, Sendable {
    /// The words as they were typed, without quotes.
    let words: [String]
    /// The same for the same words whatever their case.
    let key: UInt64
    /// How many documents of the whole world match; a source knows a share of them.
    let abundance: Int
    let isKorean: Bool

    /// Words past this many are ignored, as search engines do.
    static let wordsMax = 12

    init(_ query: String) {
        let words = query.split { $0.isWhitespace || $0 == "\"" || $0 == "\u{1B}" || $0 == "," || $0 == "+" }
            .prefix(Self.wordsMax).map(String.init)
        self.words = words
        key = words.reduce(0x70_91C5) { Dice.mix($0 ^ Dice.hash($1.lowercased())) }
        isKorean = words.contains { $0.unicodeScalars.contains { Self.isHangul($0) } }
        let each = words.map(Self.abundance)
        let least = each.min() ?? 0
        abundance = least == 0 ? 0 : max(1, least / Self.power(3, words.count - 1))
    }

    /// The nine digits of the ISBN that the query is; nil for any other query.
    var isbnBody: Int? {
        words.count == 1 ? ISBN.body(of: words[0]) : nil
    }

    /// The words, each one a match.
    var marked: MarkedText {
        var text = MarkedText()
        for (index, word) in words.enumerated() {
            if index > 0 { text.append(" ") }
            text.append(word, isMatch: true)
        }
        return text
    }

    /// Common words have millions of documents, rare ones dozens, nonsense none.
    private static func abundance(of word: String) -> Int {
        let folded = word.lowercased()
        var dice = Dice(Dice.hash(folded), 0xAB0D)
        if Vocabulary.isCommon(folded) {
            return 40_000 * power(2, dice.roll(9)) + dice.roll(40_000)
        }
        return isPlausible(folded) ? dice.roll(3...160) : 0
    }

    private static func isPlausible(_ word: String) -> Bool {
        let scalars = Array(word.unicodeScalars)
        if scalars.allSatisfy(isHangul) {
            return scalars.count <= 8 && scalars.allSatisfy { hasUsualEnding($0) }
        }
        guard (2...14).contains(scalars.count), scalars.allSatisfy({ ("a"..."z").contains($0) }) else {
            return isNumber(scalars) || ISBN.body(of: word) != nil
        }
        var consonants = 0
        for (index, letter) in scalars.enumerated() {
            consonants = "aeiouy".unicodeScalars.contains(letter) ? 0 : consonants + 1
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            if consonants > 3 || (letter == "q" && next != "u") { return false }
        }
        return true
    }

    private static func isNumber(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.count <= 4 && scalars.allSatisfy { ("0"..."9").contains($0) }
    }

    private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
        (0xAC00...0xD7A3).contains(scalar.value)
    }

    /// False for final consonant pairs that no everyday syllable of a made-up word has: ㄳ ㄺ ㄽ ㄾ ㄿ.
    private static func hasUsualEnding(_ scalar: Unicode.Scalar) -> Bool {
        ![3, 9, 12, 13, 14].contains((scalar.value - 0xAC00) % 28)
    }

    private static func power(_ base: Int, _ exponent: Int) -> Int {
        (0..<max(0, exponent)).reduce(1) { power, _ in power * base }
    }
}
