import Catalogue
import Hangul
import JSON
import SearchModel
import Upstream

/// How the texts of a hit match the query, for the ranking.
struct HitMatch: Equatable, Sendable {
    enum TitleForm: UInt8, Comparable, Sendable {
        case none
        case phrase
        case beginning
        /// The title is the query followed by brackets, such as `Swift (programming language)`.
        case qualified
        case exact

        static func < (left: TitleForm, right: TitleForm) -> Bool { left.rawValue < right.rawValue }
    }

    /// How well a text matches each word of the query.
    struct Levels: Equatable, Sendable {
        private var bits: UInt32 = 0

        subscript(word: Int) -> Term.Level {
            get { Term.Level(rawValue: UInt8(bits >> (2 * UInt32(word)) & 3)) ?? .none }
            set { bits = bits & ~(3 << (2 * UInt32(word))) | UInt32(newValue.rawValue) << (2 * UInt32(word)) }
        }

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
    /// The query's share of the title's length; 255 means the same length.
    var titleShare: UInt8 = 0
    /// False for images, and for hits whose only text is their URL.
    var hasText = true

    init() {}

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

/// Reads the texts of a hit from JSON, and matches them with the query.
struct HitTextReader {
    private let terms: QueryTerms
    private var title = FoldedBytes()
    private var name = FoldedBytes()
    private var author = FoldedBytes()
    private var snippet = FoldedBytes()

    init(_ terms: QueryTerms) {
        self.terms = terms
    }

    /// The members of a hit, in the order in which they are written.
    private static let names = (
        kind: Array("kind".utf8), snippet: Array("snippet".utf8), url: Array("url".utf8), author: Array("author".utf8)
    )
    private static let image = Array("image".utf8)
    /// Limits the time for a hostile text: matching takes O(snippet × term).
    private static let snippetBytesMax = 1024

    mutating func match(_ entry: CachedPage.Entry, of bytes: [UInt8]) -> HitMatch {
        title.removeAll()
        author.removeAll()
        snippet.removeAll()
        title.append(entry.title)
        name.removeAll()
        name.append(Self.name(entry.title))
        var isImage = false
        var url: String?
        var members = MemberScan(bytes, entry.range)
        while let (name, value) = members.next() {
            if members.holds(Self.names.snippet, at: name) {
                members.text(at: value).map { snippet.append($0, bytesMax: Self.snippetBytesMax) }
            } else if members.holds(Self.names.author, at: name) {
                members.text(at: value).map { author.append($0) }
                break
            } else if members.holds(Self.names.kind, at: name) {
                isImage = members.holds(Self.image, at: value)
            } else if members.holds(Self.names.url, at: name) {
                url = members.text(at: value)
            }
        }
        var match = HitMatch(terms, title: title, name: name, author: author, snippet: snippet)
        match.hasText = !isImage && !(snippet.bytes.isEmpty && url?.hasSameBytes(as: entry.title) == true)
        return match
    }

    private static func name(_ title: String) -> String {
        guard let bracket = title.unicodeScalars.firstIndex(where: { $0 == "(" || $0 == "\u{FF08}" }) else {
            return title
        }
        return String(title.unicodeScalars[..<bracket])
    }
}

/// Finds the members of a JSON object, without decoding values that are not needed.
struct MemberScan {
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound + 1
        end = range.upperBound
    }

    /// The ranges of strings exclude the quotes.
    mutating func next() -> (name: Range<Int>, value: Range<Int>)? {
        skip { $0 != UInt8(ascii: "\"") }
        guard offset < end else { return nil }
        let name = string()
        offset += 1
        guard offset < end else { return nil }
        return (name, bytes[offset] == UInt8(ascii: "\"") ? string() : value())
    }

    func holds(_ text: [UInt8], at range: Range<Int>) -> Bool {
        bytes[range].elementsEqual(text)
    }

    func text(at range: Range<Int>) -> String? {
        guard bytes[range].contains(UInt8(ascii: "\\")) else { return String(validated: bytes.span.extracting(range)) }
        let quoted = Array(bytes[range.lowerBound - 1...range.upperBound])
        return (try? JSONDocument(quoted))?.root.string
    }

    private mutating func string() -> Range<Int> {
        offset += 1
        let start = offset
        while offset < end, bytes[offset] != UInt8(ascii: "\"") {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        let stop = min(offset, end)
        offset = stop + 1
        return start..<stop
    }

    private mutating func value() -> Range<Int> {
        let start = offset
        var depth = 0
        while offset < end {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                _ = string()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: return start..<offset
            default: break
            }
            offset += 1
        }
        return start..<end
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while offset < end, isSkipped(bytes[offset]) { offset += 1 }
    }
}
