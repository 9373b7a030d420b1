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
