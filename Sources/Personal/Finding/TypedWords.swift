import Hangul
import JSON

/// The words of a search in a user's own data; all words must match.
struct TypedWords: Sendable {
    static let wordsMax = 16

    /// The full-text query, which also finds some items that do not match.
    let expression: String
    private let patterns: [TypedPattern]

    /// Returns nil if the query has only punctuation, or if a word is too long.
    init?(_ query: String) {
        let words = query.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
        let patterns = words.prefix(Self.wordsMax).filter { !FoldedText($0).scalars.allSatisfy(Self.isSign) }
            .map { TypedPattern($0) }
        guard !patterns.isEmpty, !patterns.contains(where: { $0 == nil }) else { return nil }
        self.patterns = patterns.compactMap(\.self)
        let terms = self.patterns.map { $0.readings.map(Self.term).filter { !$0.isEmpty } }
        guard !terms.contains(where: \.isEmpty) else { return nil }
        expression = terms.map { "(" + $0.map { "(" + $0 + ")" }.joined(separator: " OR ") + ")" }
            .joined(separator: " AND ")
    }

    /// Finds the best match of each word, and returns the worst of these matches; nil if a word does not match.
    func match(in texts: [FoldedText], atWords: Bool = false) -> TypedMatch? {
        var worst: TypedMatch?
        for pattern in patterns {
            guard let best = texts.lazy.compactMap({ pattern.match(in: $0, atWords: atWords) }).min() else {
                return nil
            }
            worst = worst.map { max($0, best) } ?? best
        }
        return worst
    }

    /// Returns a lower number for a better match; a match of all words in the title is best.
    func rank(_ document: [UInt8]) -> Int64? {
        guard let root = try? JSONDocument(document).root else { return nil }
        let title = SavedItem.title(of: root)
        if let match = match(in: [title]) { return Self.rank(match, isInTitle: true) }
        return match(in: [title] + SavedItem.otherTexts(of: root)).map { Self.rank($0, isInTitle: false) }
    }

    private static func rank(_ match: TypedMatch, isInTitle: Bool) -> Int64 {
        Int64((isInTitle ? 0 : 1) << 16 | match.form.rawValue << 8 | match.position.rawValue)
    }

    private static func term(_ reading: TypedReading) -> String {
        let letters = reading.letters
        // “node.js” is cut at the dot, and “iOS앱” is cut at the change of script.
        let cuts = letters.indices.dropFirst().filter { index in
            Jamo.isHangul(letters[index - 1]) != Jamo.isHangul(letters[index]) || reading.wordBegins.contains(index)
        }
        let parts = zip([letters.startIndex] + cuts, cuts + [letters.endIndex]).map { letters[$0..<$1] }
        return parts.flatMap { Jamo.isHangul($0[$0.startIndex]) ? [token(ofHangul: $0)] : tokens(ofLetters: $0) }
            .map { "\"" + $0.replacing("\"", with: "\"\"") + "\"*" }.joined(separator: " AND ")
    }

    private static func token(ofHangul letters: ArraySlice<Unicode.Scalar>) -> String {
        letters.contains(where: Jamo.isConsonant) ? IndexTokens.initials(of: letters) : IndexTokens.keys(of: letters)
    }

    /// Keeps only “iphone” of “iphone15”, so that the query also finds “iphone 15”.
    private static func tokens(ofLetters word: ArraySlice<Unicode.Scalar>) -> [String] {
        word.split(whereSeparator: isSign).map { part in
            let isNumber = part.first.map(isDigit) == true
            return IndexTokens.letters(of: part.prefix { isDigit($0) == isNumber })
        }
    }

    private static func isSign(_ letter: Unicode.Scalar) -> Bool {
        letter.isASCII && !letter.properties.isAlphabetic && !isDigit(letter) && letter != "="
    }

    private static func isDigit(_ letter: Unicode.Scalar) -> Bool { ("0"..."9").contains(letter) }
}
