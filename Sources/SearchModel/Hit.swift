package import JSON

/// One thing a source found, mapped to the contract's words.
package struct Hit: Sendable {
    /// Its position in the source's own list, from 1.
    package var rank: Int
    /// `source:key`; stable across runs and machines.
    package var id: String
    package var source: SourceName
    package var kind: Kind
    /// Plain text: no tags, no entities, no control characters, NFC.
    package var title: String
    package var snippet: String?
    /// Ranges of Unicode scalars that matched, ascending, without overlap.
    package var titleMarks: [Range<Int>]
    package var snippetMarks: [Range<Int>]
    package var url: String?
    package var author: String?
    package var published: PublishedDate?
    package var thumbnail: String?
    /// Fields of the kind as a JSON object on one line, in the order they are shown; empty when there are none.
    package var extraText: [UInt8]
    /// The source's own document, as JSON text; empty when it was not kept.
    package var raw: ArraySlice<UInt8>

    /// The members of `extraText`.
    ///
    /// - Complexity: O(n) in the bytes of the text, which is read or written each time.
    package var extra: [JSONMember] {
        get { (try? JSONDocument(extraText))?.root.value.members ?? [] }
        set { extraText = newValue.isEmpty ? [] : JSONValue.object(newValue).bytes }
    }
}

extension Hit {
    /// Built where it is kept, by the struct's own initialiser: assigning the members here would count every reference
    /// twice.
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

/// What a hit is: a blog post, a book, an app and so on.
///
/// Source files may bring kinds of their own.
package struct Kind: Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 32

    package let text: String

    /// Fails unless the text is `a–z` and digits, beginning with a letter.
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
    /// Writes the hit as the contract spells it; a field without a value is left out.
    ///
    /// - Parameters:
    ///   - writer: Gets one object, all on one line.
    ///   - withRaw: Whether the source's own document goes along, if it was kept.
    ///   - alsoFrom: The other sources that have the same item.
    package func write(to writer: inout JSONWriter, withRaw: Bool, alsoFrom: [SourceName] = []) {
        writer.object { writer in
            writer.member(.id, id)
            writer.member(.source, source.text)
            writer.member(.kind, kind.text)
            writer.member(.title, title)
            writer.member(.snippet, snippet.unlessEmpty)
            if !titleMarks.isEmpty || !snippetMarks.isEmpty {
                writer.object(.marks) { writer in
                    Self.write(titleMarks, as: .title, to: &writer)
                    Self.write(snippetMarks, as: .snippet, to: &writer)
                }
            }
            writer.member(.url, url.unlessEmpty)
            writer.member(.author, author.unlessEmpty)
            if let published {
                writer.member(.published, published.text)
                if published.precision != .second {
                    writer.member(.publishedPrecision, published.precision.rawValue)
                }
            }
            writer.member(.thumbnail, thumbnail.unlessEmpty)
            writer.member(.rank, rank)
            if !extraText.isEmpty { writer.member(.extra, raw: extraText) }
            if !alsoFrom.isEmpty { writer.member(.alsoFrom, alsoFrom.lazy.map(\.text)) }
            if withRaw, !raw.isEmpty {
                writer.name(.raw)
                writer.rawOnOneLine(raw)
            }
        }
    }

    private static func write(_ marks: [Range<Int>], as member: Member, to writer: inout JSONWriter) {
        guard !marks.isEmpty else { return }
        writer.name(member)
        writer.ranges(marks)
    }
}

extension String? {
    fileprivate var unlessEmpty: String? { flatMap { $0.isEmpty ? nil : $0 } }
}

/// The names of a hit's members.
extension Member {
    package static let alsoFrom = Member("alsoFrom")
    package static let author = Member("author")
    package static let extra = Member("extra")
    package static let fetchedAt = Member("fetchedAt")
    package static let id = Member("id")
    package static let kind = Member("kind")
    package static let marks = Member("marks")
    package static let published = Member("published")
    package static let publishedPrecision = Member("publishedPrecision")
    package static let rank = Member("rank")
    package static let raw = Member("raw")
    package static let snippet = Member("snippet")
    package static let source = Member("source")
    package static let thumbnail = Member("thumbnail")
    package static let title = Member("title")
    package static let url = Member("url")
}

/// One upstream page, mapped.
package struct Page: Sendable {
    package var hits: [Hit]
    /// What follows `hits`; nil when they are all.
    package var unread: UnreadHits?
    /// How many hits the source reports; nil when it does not.
    package var total: Int?
    package var totalIsEstimate: Bool
    /// How many hits can be paged to; nil when the source does not report it and no bound is declared.
    package var reachable: Int?
    /// True when the source has no page after this one.
    package var isEnd: Bool

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

/// Hits that are kept as the source's own documents until they are needed.
///
/// Few of a page's hits are ever needed, and reading all of them is a good part of the cost of a call.
package struct UnreadHits: Sendable {
    /// The documents as they stand in the source's list, with the commas between them.
    package let documents: ArraySlice<UInt8>
    /// How many they are.
    package let count: Int
    /// The first one's rank.
    package let firstRank: Int
    package var reader: any HitReader

    package init(documents: ArraySlice<UInt8>, count: Int, firstRank: Int, reader: any HitReader) {
        self.documents = documents
        self.count = count
        self.firstRank = firstRank
        self.reader = reader
    }
}

/// Reads a source's own documents.
package protocol HitReader: Sendable {
    /// The hits of a list, a JSON array, whose first document has this rank.
    ///
    /// What is no hit is left out, but has a rank. The `raw` of each hit is a part of `list`, or empty.
    func hits(of list: [UInt8], firstRank: Int) -> [Hit]
}
