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
        let patterns = words.prefix(Self.wordsMax).filter { !FoldedText($0).isEmpty }.map { TypedPattern($0) }
        guard !patterns.isEmpty, !patterns.contains(where: { $0 == nil }) else { return nil }
        self.patterns = patterns.compactMap(\.self)
        let terms = self.patterns.map { $0.spellings.map(Self.term) }
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

    private struct Term {
        let text: String
        /// Whether the index finds nothing else by it.
        let isExact: Bool
    }

    /// One reading of a word in the index's own language.
    private static func term(_ letters: [Unicode.Scalar]) -> Term {
        let hangul = letters.prefix(while: Jamo.isHangul)
        guard hangul.count == letters.count else {
            // A part of each kind; where they stand is looked at.
            let word = letters[hangul.count...].prefix { !Jamo.isHangul($0) }
            let ways = spacings(of: word).map { parts in
                parts.map { quoted(IndexTokens.letters(of: $0)) }.joined(separator: " AND ")
            }
            let isWhole = hangul.isEmpty && ways.count == 1 && word.count == letters.count
            let head = hangul.isEmpty ? "" : term(Array(hangul)).text + " AND "
            let text = ways.count == 1 ? ways[0] : "((" + ways.joined(separator: ") OR (") + "))"
            return Term(text: "(\(head)\(text))", isExact: isWhole && word.count <= IndexTokens.lettersMax)
        }
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
