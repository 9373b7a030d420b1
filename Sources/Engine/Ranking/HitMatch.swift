import Hangul
import SearchModel

/// How a hit's texts match its query: all that ranking needs of them, in a few bytes.
struct HitMatch: Equatable, Sendable {
    /// How the title has the query as a whole.
    enum TitleForm: UInt8, Comparable, Sendable {
        case none
        case phrase
        case beginning
        /// As all of the title but what it says in brackets: `Swift (programming language)`.
        case qualified
        case exact

        static func < (left: TitleForm, right: TitleForm) -> Bool { left.rawValue < right.rawValue }
    }

    /// The level of each word of the query.
    struct Levels: Equatable, Sendable {
        /// Two bits a word.
        private var bits: UInt32 = 0

        subscript(word: Int) -> Term.Level {
            get { Term.Level(rawValue: UInt8(bits >> (2 * UInt32(word)) & 3)) ?? .none }
            set { bits = bits & ~(3 << (2 * UInt32(word))) | UInt32(newValue.rawValue) << (2 * UInt32(word)) }
        }

        /// The better of both, word by word.
        func union(_ other: Levels, words: Int) -> Levels {
            var union = self
            for word in 0..<words { union[word] = max(self[word], other[word]) }
            return union
        }
    }

    var title = Levels()
    var author = Levels()
    var snippet = Levels()
    var titleForm = TitleForm.none
    var isPhraseInSnippet = false
    /// How much of the title the query is, from 0 to 255.
    var titleShare: UInt8 = 0
    /// False of pictures, whose words say little about what they show.
    var hasText = true

    init() {}

    /// Matches texts that have been folded.
    ///
    /// `name` is the title up to its first bracket.
    init(_ terms: QueryTerms, title: FoldedBytes, name: FoldedBytes, author: FoldedBytes, snippet: FoldedBytes) {
        for (word, term) in terms.words.enumerated() {
            self.title[word] = term.best(in: title).level
            if !author.bytes.isEmpty { self.author[word] = term.best(in: author).level }
            if !snippet.bytes.isEmpty { self.snippet[word] = term.best(in: snippet).level }
        }
        let phrase = terms.phrase.bytes.count
        if phrase > 0, phrase <= title.bytes.count {
            titleShare = UInt8(phrase * 255 / title.bytes.count)
            let found = terms.phrase.best(in: title)
            if found.level >= .fair {
                titleForm = found.offset > 0 ? .phrase : .beginning
                if name.bytes == terms.phrase.bytes { titleForm = name.bytes == title.bytes ? .exact : .qualified }
            }
        }
        isPhraseInSnippet = terms.phrase.best(in: snippet).level >= .fair
    }

    /// What two hits of the same item match together.
    func union(_ other: HitMatch, words: Int) -> HitMatch {
        var union = self
        union.title = title.union(other.title, words: words)
        union.author = author.union(other.author, words: words)
        union.snippet = snippet.union(other.snippet, words: words)
        union.titleForm = max(titleForm, other.titleForm)
        union.isPhraseInSnippet = isPhraseInSnippet || other.isPhraseInSnippet
        union.titleShare = max(titleShare, other.titleShare)
        union.hasText = hasText || other.hasText
        return union
    }
}
