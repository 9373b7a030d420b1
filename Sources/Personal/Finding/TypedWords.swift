import Hangul

/// A query of the library: words, each of which must stand in some text of an item.
struct TypedWords: Sendable {
    static let wordsMax = 16
    /// Of a word that changes between letters and digits more often, the first changes count.
    private static let cutsMax = 4

    /// What the index is asked for; it finds every item that matches.
    let expression: String
    /// Whether what the index finds must be looked at, since it may find more.
    let needsLook: Bool
    private let patterns: [TypedPattern]

    /// Nil when nothing is left of the query, or a word is too long to be looked for.
    init?(_ query: String) {
        let words = query.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
        // Of signs alone the index keeps nothing.
        let patterns = words.prefix(Self.wordsMax).filter { !FoldedText($0).scalars.allSatisfy(Self.isSign) }
            .map { TypedPattern($0) }
        guard !patterns.isEmpty, !patterns.contains(where: { $0 == nil }) else { return nil }
        self.patterns = patterns.compactMap(\.self)
        let terms = self.patterns.map { $0.readings.map(Self.term) }
        expression = terms.map { alternatives in "(" + alternatives.map(\.text).joined(separator: " OR ") + ")" }
            .joined(separator: " AND ")
        needsLook = terms.contains { $0.contains { !$0.isExact } }
    }

    /// How well all of the words stand in the texts of an item, the worst of them counting; nil when one does not.
    ///
    /// - Parameters:
    ///   - texts: All that is looked through.
    ///   - atWords: Whether only the beginnings of words count.
    /// - Returns: In what way, and where.
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

    /// No match has a greater rank.
    static let rankMax = rank(.worst, isInTitle: false)

    /// How well the words match an item, the lesser the better: a match in the title is better than any other.
    ///
    /// - Returns: Equal numbers for matches that are equal; nil when a word is in none of the texts.
    func rank(_ title: String, _ others: @autoclosure () -> [String]) -> Int64? {
        let title = FoldedText(title)
        if let match = match(in: [title]) { return Self.rank(match, isInTitle: true) }
        return match(in: [title] + others().map { FoldedText($0) }).map { Self.rank($0, isInTitle: false) }
    }

    private static func rank(_ match: TypedMatch, isInTitle: Bool) -> Int64 {
        Int64((isInTitle ? 0 : 1) << 16 | match.form.rawValue << 8 | match.position.rawValue)
    }

    private struct Term {
        let text: String
        /// Whether the index finds nothing else by it.
        let isExact: Bool
    }

    /// One reading of a word in the index's own language: of several parts each, and where they stand is looked at.
    private static func term(_ reading: TypedReading) -> Term {
        let letters = reading.letters
        // As in “node.js” and “iOS 앱”.
        let cuts = letters.indices.dropFirst().filter { index in
            Jamo.isHangul(letters[index - 1]) != Jamo.isHangul(letters[index]) || reading.wordBegins.contains(index)
        }
        let parts = zip([letters.startIndex] + cuts, cuts + [letters.endIndex]).map { letters[$0..<$1] }
        let terms = parts.map { Jamo.isHangul($0[$0.startIndex]) ? term(ofHangul: Array($0)) : term(ofLetters: $0) }
        if terms.count == 1 { return terms[0] }
        let texts = terms.map(\.text).filter { !$0.isEmpty }
        return Term(text: "(" + texts.joined(separator: " AND ") + ")", isExact: false)
    }

    /// Letters without Hangul that stand in one word; empty when the index keeps none of them.
    private static func term(ofLetters word: ArraySlice<Unicode.Scalar>) -> Term {
        let ways = spacings(of: word).map { parts in
            parts.flatMap(tokens).map { quoted(IndexTokens.letters(of: $0)) }.joined(separator: " AND ")
        }
        let known = ways.filter { !$0.isEmpty }
        let isPlain = word.allSatisfy { !isSign($0) && $0 != "=" }
        return Term(
            text: known.count > 1 ? "((" + known.joined(separator: ") OR (") + "))" : known.first ?? "",
            isExact: ways.count == 1 && isPlain && word.count <= IndexTokens.lettersMax
        )
    }

    /// The parts of a word that the index keeps.
    private static func tokens(of word: ArraySlice<Unicode.Scalar>) -> [ArraySlice<Unicode.Scalar>] {
        word.split(whereSeparator: isSign)
    }

    /// Whether the index takes it for a blank.
    private static func isSign(_ letter: Unicode.Scalar) -> Bool {
        letter.isASCII && !letter.properties.isAlphabetic && !isDigit(letter) && letter != "="
    }

    /// Syllables, and letters that may stand for them.
    private static func term(ofHangul letters: [Unicode.Scalar]) -> Term {
        let isInitials = letters.contains(where: Jamo.isConsonant)
        if isInitials {
            let isPure = letters.allSatisfy(Jamo.isConsonant) && letters.count <= IndexTokens.initialsMax
            return Term(text: quoted(IndexTokens.initials(of: letters)), isExact: isPure && letters.count > 1)
        }
        // Of a long word the index has a piece at each syllable.
        let starts = stride(from: 0, to: letters.count, by: 3).map { $0 }
        let isShort = KeyboardLayout.keys(of: letters).count <= IndexTokens.keysMax
        let pieces = (isShort ? [0] : starts).map { quoted(IndexTokens.keys(of: letters[$0...])) }
        return Term(text: "(" + pieces.joined(separator: " AND ") + ")", isExact: isShort && letters.count > 1)
    }

    /// A word as it stands, and with spaces between letters and digits, where a text may have them: one, or all.
    private static func spacings(of word: ArraySlice<Unicode.Scalar>) -> [[ArraySlice<Unicode.Scalar>]] {
        let cuts = word.indices.dropFirst().filter { isDigit(word[$0 - 1]) != isDigit(word[$0]) }.prefix(cutsMax)
        let single = cuts.map { [word[..<$0], word[$0...]] }
        guard cuts.count > 1 else { return [[word]] + single }
        let all = zip([word.startIndex] + cuts, cuts + [word.endIndex]).map { word[$0..<$1] }
        return [[word]] + single + [all]
    }

    private static func isDigit(_ letter: Unicode.Scalar) -> Bool { ("0"..."9").contains(letter) }

    /// A prefix, whatever is in it.
    private static func quoted(_ token: String) -> String {
        // Most have none, and are looked through for one in a fraction of the time.
        let isPlain = !token.utf8.contains(UInt8(ascii: "\""))
        return "\"" + (isPlain ? token : token.replacing("\"", with: "\"\"")) + "\"*"
    }
}
