import JSON

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
    /// As exact as its source gave it.
    let published: String?

    init(_ hit: JSONCursor) {
        id = hit["id"]?.string ?? ""
        source = hit["source"]?.string ?? ""
        title = hit["title"]?.string ?? ""
        snippet = hit["snippet"]?.string
        let marks = hit["marks"]
        titleMarks = Self.ranges(marks?["title"])
        snippetMarks = Self.ranges(marks?["snippet"])
        url = hit["url"]?.string
        author = hit["author"]?.string
        published = hit["published"]?.string.map { Self.date($0, precision: hit["publishedPrecision"]?.string) }
    }

    private static func ranges(_ marks: JSONCursor?) -> [Range<Int>] {
        (marks?.elements ?? []).compactMap { pair in
            guard let from = pair[0]?.int, let to = pair[1]?.int, 0 <= from, from < to else { return nil }
            return from..<to
        }
    }

    /// `2024`, `2024-03`, `2024-03-09`, or `2024-03-09 11:51` in the source's own zone.
    static func date(_ published: String, precision: String?) -> String {
        switch precision {
        case "year": String(published.prefix(4))
        case "month": String(published.prefix(7))
        case "day": String(published.prefix(10))
        default: published.prefix(10) + " " + published.dropFirst(11).prefix(5)
        }
    }
}
