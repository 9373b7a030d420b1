import JSON
import RPC
import SearchModel

/// What is shown of a hit; read leniently, so that a newer daemon's hits are shown too.
struct FoundHit {
    let id: String
    let source: String
    let title: String
    let titleMarks: [Range<Int>]
    let snippet: String?
    let snippetMarks: [Range<Int>]
    let url: String?
    let author: String?
    let published: PublishedTime?
    /// What a user has here is where a hit was found, not another source of it.
    static let ownSources: Set = ["library", "seen"]

    /// The other sources that have it.
    let alsoFrom: [String]
    /// Whether the user has saved it, as far as the search said.
    let isSaved: Bool
    /// How many seconds ago it was fetched, when it was not fetched for this search.
    let age: Double?

    init(_ hit: JSONCursor) {
        isSaved = hit[.saved]?.bool ?? false
        age = hit[.age]?.double
        alsoFrom = (hit[.alsoFrom]?.elements ?? []).compactMap(\.string).filter { !Self.ownSources.contains($0) }
        id = hit[.id]?.string ?? ""
        source = hit[.source]?.string ?? ""
        title = hit[.title]?.string ?? ""
        snippet = hit[.snippet]?.string
        let marks = hit[.marks]
        titleMarks = Self.ranges(marks?[.title])
        snippetMarks = Self.ranges(marks?[.snippet])
        url = hit[.url]?.string
        author = hit[.author]?.string
        published = hit[.published]?.string.flatMap {
            PublishedTime($0, precision: hit[.publishedPrecision]?.string)
        }
    }

    private static func ranges(_ marks: JSONCursor?) -> [Range<Int>] {
        (marks?.elements ?? []).compactMap { pair in
            guard let from = pair[0]?.int, let to = pair[1]?.int, 0 <= from, from < to else { return nil }
            return from..<to
        }
    }
}
