import Hangul
import SearchModel

/// The terms of a query: each word, and the whole query as a phrase.
struct QueryTerms: Sendable {
    static let wordsMax = 12

    let words: [Term]
    /// The words that a complete match needs; stop words are needed only if there are no other words.
    let needed: [Int]
    let phrase: Term

    private static let small = Set(
        "a an and are as at be by can do does for from how i in is it my of on or the to vs what when where which who why with"
            .split(separator: " ").map { Array($0.utf8) }
    )

    init(_ query: SearchQuery) {
        let text = FoldedBytes(query.text)
        phrase = Term(text.bytes[...], text.starts[...])
        var words: [Term] = []
        var start = 0
        while start < text.bytes.count, words.count < Self.wordsMax {
            var end = start + 1
            while !text.isBoundary(end) { end += 1 }
            let word = Term(text.bytes[start..<end], text.starts[start..<end])
            if !words.contains(where: { $0.bytes == word.bytes }) { words.append(word) }
            start = end
        }
        self.words = words
        let needed = words.indices.filter { !Self.small.contains(words[$0].bytes) }
        self.needed = needed.isEmpty ? Array(words.indices) : needed
    }
}

/// A word or phrase; Latin words match only at the beginning of a word, other scripts also inside.
struct Term: Sendable {
    enum Level: UInt8, Comparable, Sendable {
        case none
        /// Part of a word with another meaning, such as `java` in `javascript` or 책 in 책상.
        case weak
        /// Another form or a longer word, such as `cats` for `cat`, or 길고양이 for 고양이.
        case fair
        case full

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private static let prefixBytesMin = 3
    private static let endings = ["s", "es", "ed", "er", "ers", "ing"].map { Array($0.utf8) }
    /// Particles after a Korean noun of one syllable, such as in 책을 and 책이.
    private static let particles = ["을", "를", "이", "가", "은", "는", "의", "에", "도", "과", "와", "로", "만", "들"].map {
        Array($0.utf8)
    }
    private static let syllableBytes = 3
    static let bytesMax = 256

    let bytes: [UInt8]
    private let starts: [Bool]
    private let singular: [UInt8]?

    init(_ bytes: ArraySlice<UInt8>, _ starts: ArraySlice<Bool>) {
        self.bytes = Array(bytes)
        self.starts = Array(starts)
        let isPlural =
            bytes.count > 3 && bytes.last == UInt8(ascii: "s") && bytes.dropLast().last != UInt8(ascii: "s")
            && bytes.allSatisfy { $0 < 0x80 }
        singular = isPlural ? Array(bytes.dropLast()) : nil
    }

    private var isLatin: Bool { bytes.first.map { $0 < 0x80 } ?? true }

    /// Takes O(n × m) for a hostile text of n bytes and a term of m bytes.
    func best(in text: FoldedBytes) -> (level: Level, offset: Int) {
        let exact = best(bytes, in: text)
        guard exact.level < .fair, let singular else { return exact }
        let other = best(singular, in: text)
        return other.level >= .fair ? (.fair, other.offset) : exact
    }

    private func best(_ word: [UInt8], in text: FoldedBytes) -> (level: Level, offset: Int) {
        var best = (level: Level.none, offset: 0)
        guard let first = word.first, word.count <= min(text.bytes.count, Self.bytesMax) else { return best }
        let (all, wanted) = (text.bytes.span, word.span)
        for offset in 0...(all.count - wanted.count) where all[offset] == first {
            guard !isLatin || text.starts[offset] else { continue }
            var length = 1
            while length < wanted.count, all[offset + length] == wanted[length] { length += 1 }
            guard length == wanted.count else { continue }
            let level = isLatin ? latinLevel(text, offset, length) : level(text, offset, length)
            if level > best.level { best = (level, offset) }
            if best.level == .full { return best }
        }
        return best
    }

    private func latinLevel(_ text: FoldedBytes, _ offset: Int, _ length: Int) -> Level {
        guard !crosses(text, offset, length) else { return .none }
        let end = offset + length
        if text.isBoundary(end) { return .full }
        if Self.endings.contains(where: { Self.holds(text, $0, at: end) }) { return .fair }
        return length >= Self.prefixBytesMin ? .weak : .none
    }

    private func level(_ text: FoldedBytes, _ offset: Int, _ length: Int) -> Level {
        let (begins, ends) = (text.starts[offset], text.isBoundary(offset + length))
        if crosses(text, offset, length), !(begins && ends) {
            return begins && hasLongPieces(text, offset, length) ? .fair : .none
        }
        guard length <= Self.syllableBytes else { return begins ? .full : .fair }
        guard begins else { return ends ? .weak : .none }
        return ends || Self.particles.contains { Self.holds(text, $0, at: offset + length) } ? .full : .weak
    }

    /// Whether a word of the text begins inside a word of the term.
    private func crosses(_ text: FoldedBytes, _ offset: Int, _ length: Int) -> Bool {
        for index in 1..<max(1, length) where text.starts[offset + index] && !(index < starts.count && starts[index]) {
            return true
        }
        return false
    }

    /// Whether the text divides the term only into parts of two or more syllables, as `전세 보증금` divides 전세보증금.
    private func hasLongPieces(_ text: FoldedBytes, _ offset: Int, _ length: Int) -> Bool {
        var piece = 0
        for index in 0..<length {
            if index > 0, text.starts[offset + index] {
                guard piece >= 2 * Self.syllableBytes else { return false }
                piece = 0
            }
            piece += 1
        }
        return piece >= 2 * Self.syllableBytes
    }

    private static func holds(_ text: FoldedBytes, _ ending: [UInt8], at offset: Int) -> Bool {
        let end = offset + ending.count
        guard end <= text.bytes.count, text.isBoundary(end) else { return false }
        return text.bytes[offset..<end].elementsEqual(ending)
    }
}
