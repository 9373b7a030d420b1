import Catalogue
import EventLoop
import Hangul
import JSON
import SearchModel
import Upstream

/// How the hits of a page match the page's query; computed when a search of several sources first needs it, and kept.
///
/// A search of one source never asks, and pays nothing.
final class PageMatches: Sendable {
    private let kept = Locked<[HitMatch]?>(nil)

    /// What keeping them takes; to be counted from the start.
    static func bytes(ofHits count: Int) -> Int { count * MemoryLayout<HitMatch>.stride }

    /// One match for each entry of the page, which must always be the same.
    func of(_ page: CachedPage) -> [HitMatch] {
        kept.withLock { kept in
            if let kept { return kept }
            var reader = HitTextReader(QueryTerms(page.key.request.query))
            let matches = page.entries.map { reader.match($0, of: page.bytes) }
            kept = matches
            return matches
        }
    }
}

/// Reads the texts of hits where a page has them as JSON, and matches them.
struct HitTextReader {
    private let terms: QueryTerms
    private var title = FoldedBytes()
    private var name = FoldedBytes()
    private var author = FoldedBytes()
    private var snippet = FoldedBytes()

    init(_ terms: QueryTerms) {
        self.terms = terms
    }

    /// The members of a hit that matter, in the order in which a hit is written.
    private static let names = (
        kind: Array("kind".utf8), snippet: Array("snippet".utf8), url: Array("url".utf8), author: Array("author".utf8)
    )
    private static let image = Array("image".utf8)
    /// How much of a snippet is compared with the query: the time for texts that were made to be slow grows with the
    /// product of their lengths.
    private static let snippetBytesMax = 1024

    /// - Complexity: O(n) in the bytes of the hit's texts.
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
        // A title that is the address was made for lack of another.
        match.hasText = !isImage && !(snippet.bytes.isEmpty && url?.hasSameBytes(as: entry.title) == true)
        return match
    }

    /// A title without what it says in brackets at its end.
    private static func name(_ title: String) -> String {
        guard let bracket = title.unicodeScalars.firstIndex(where: { $0 == "(" || $0 == "\u{FF08}" }) else {
            return title
        }
        return String(title.unicodeScalars[..<bracket])
    }
}
