package import JSON

/// One result of a source.
package struct Hit: Sendable {
    package var rank: Int
    /// Of the form `source:key`; an item has the same id on every machine.
    package var id: String
    package var source: SourceName
    package var kind: Kind
    /// Plain text in NFC, without tags, entities or control characters.
    package var title: String
    package var snippet: String?
    /// The matches of the query: ascending and disjoint ranges of Unicode scalars.
    package var titleMarks: [Range<Int>]
    package var snippetMarks: [Range<Int>]
    package var url: String?
    package var author: String?
    package var published: PublishedDate?
    package var thumbnail: String?
    /// The fields that only hits of this `kind` have, as a JSON object on one line; empty if there are none.
    package var extraText: [UInt8]
    /// The source's JSON text for this hit; empty if the text was not kept.
    package var raw: ArraySlice<UInt8>

    /// Each access parses or writes `extraText`.
    package var extra: [JSONMember] {
        get { (try? JSONDocument(extraText))?.root.value.members ?? [] }
        set { extraText = newValue.isEmpty ? [] : JSONValue.object(newValue).bytes }
    }
}

extension Hit {
    package init(
        id: String,
        source: SourceName,
        kind: Kind,
        title: String,
        titleMarks: [Range<Int>] = [],
        snippet: String? = nil,
        snippetMarks: [Range<Int>] = [],
        url: String? = nil,
        author: String? = nil,
        published: PublishedDate? = nil,
        thumbnail: String? = nil,
        rank: Int,
        extraText: [UInt8] = [],
        raw: ArraySlice<UInt8> = []
    ) {
        self.init(
            rank: rank,
            id: id,
            source: source,
            kind: kind,
            title: title,
            snippet: snippet,
            titleMarks: titleMarks,
            snippetMarks: snippetMarks,
            url: url,
            author: author,
            published: published,
            thumbnail: thumbnail,
            extraText: extraText,
            raw: raw
        )
    }
}

/// The kind of a hit, such as a book or an app; source files may define new kinds.
package struct Kind: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 32

    package let text: String

    package init?(_ text: some StringProtocol) {
        guard (1...Self.bytesMax).contains(text.utf8.count), let first = text.utf8.first,
            first.isSmallLetter,
            text.utf8.allSatisfy({ $0.isSmallLetter || $0.isDigit })
        else { return nil }
        self.text = String(text)
    }

    package var description: String { text }
}

extension Hit {
    package func write(to writer: inout JSONWriter, withRaw: Bool, alsoFrom: [SourceName] = []) {
        writer.object { writer in
            writer.plainMember("id", id)
            writer.plainMember("source", source.text)
            writer.plainMember("kind", kind.text)
            writer.plainMember("title", title)
            if let snippet = snippet.unlessEmpty { writer.plainMember("snippet", snippet) }
            if !titleMarks.isEmpty || !snippetMarks.isEmpty {
                writer.plainName("marks")
                writer.object { writer in
                    Self.write(titleMarks, as: "title", to: &writer)
                    Self.write(snippetMarks, as: "snippet", to: &writer)
                }
            }
            if let url = url.unlessEmpty { writer.plainMember("url", url) }
            if let author = author.unlessEmpty { writer.plainMember("author", author) }
            if let published {
                writer.plainMember("published", published.text)
                if published.precision != .second {
                    writer.member(.publishedPrecision, published.precision.rawValue)
                }
            }
            if let thumbnail = thumbnail.unlessEmpty { writer.plainMember("thumbnail", thumbnail) }
            writer.plainName("rank")
            writer.integer(rank)
            if !extraText.isEmpty { writer.member(.extra, raw: extraText) }
            if !alsoFrom.isEmpty { writer.member(.alsoFrom, alsoFrom.lazy.map(\.text)) }
            if withRaw, !raw.isEmpty {
                writer.name(.raw)
                writer.rawOnOneLine(raw)
            }
        }
    }

    private static func write(_ marks: [Range<Int>], as name: StaticString, to writer: inout JSONWriter) {
        guard !marks.isEmpty else { return }
        writer.plainName(name)
        writer.ranges(marks)
    }
}

extension String? {
    fileprivate var unlessEmpty: String? { flatMap { $0.isEmpty ? nil : $0 } }
}

/// One page of the hits of a source.
package struct Page: Sendable {
    package var hits: [Hit]
    package var total: Int?
    package var totalIsEstimate: Bool
    /// The number of hits that paging can reach; nil if it is unknown.
    package var reachable: Int?
    package var isEnd: Bool
    package var pause: Duration?

    package init(
        hits: [Hit] = [],
        total: Int? = nil,
        totalIsEstimate: Bool = true,
        reachable: Int? = nil,
        isEnd: Bool
    ) {
        self.hits = hits
        self.total = total
        self.totalIsEstimate = totalIsEstimate
        self.reachable = reachable
        self.isEnd = isEnd
    }
}
