import JSON
package import SearchModel

/// Detects that two hits are the same item, by its address or a book's ISBN.
///
/// Only comparable kinds can match. Text pages (web, blog, cafe, news, story, encyclopedia, answer) match each other.
/// Every other kind matches only itself, since an app is not the article about it. Images are identified by the image,
/// not by the page that shows it. Places never match, since a chain has one site for many places.
package struct ItemIdentity: Hashable, Sendable {
    /// A 128-bit hash, which makes collisions practically impossible even for an attacker.
    package struct Mark: Hashable, Sendable {
        package let high: UInt64
        package let low: UInt64

        package init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }
    }

    /// A book's ISBN and the canonical URL; two items match if they share a mark.
    package private(set) var marks: [Mark] = []

    package init(marks: [Mark]) {
        self.marks = marks
    }
}

extension ItemIdentity {
    /// Computes the identity of a hit; without marks if it has neither an address nor an ISBN.
    ///
    /// - Complexity: O(n) in the address and, for books and images, in the extra fields.
    package init(_ hit: borrowing Hit) {
        let kind = hit.kind.text
        guard kind != "place" else { return }
        let kindClass = Self.isPage(kind) ? "page" : kind
        let extra = kind == "image" || kind == "book" ? (try? JSONDocument(hit.extraText))?.root : nil
        if kind == "book", let isbn = extra.flatMap(Self.bookNumber) {
            let text = Array("book isbn \(isbn)".utf8)
            marks.append(Mark(text.span))
        }
        guard let shown = kind == "image" ? extra?["image"]?.string ?? hit.url : hit.url else { return }
        // No class contains a space, so different pairs of class and text never give the same bytes.
        let classCount = kindClass.utf8.count + 1
        var text: [UInt8] = []
        text.reserveCapacity(classCount + shown.utf8.count)
        text.append(kindClass.utf8.span)
        text.append(UInt8(ascii: " "))
        CanonicalURL.append(shown.utf8.span, to: &text)
        if text.count > classCount { marks.append(Mark(text.span)) }
    }

    /// Whether a kind is a text page; comparing short strings is faster than hashing one.
    private static func isPage(_ kind: String) -> Bool {
        switch kind {
        case "answer", "blog", "cafe", "encyclopedia", "news", "story", "web": true
        default: false
        }
    }

    /// The ISBN-13 of a book, computed from an ISBN-10 if necessary.
    ///
    /// `isbn13` has precedence over `isbn` and `isbn10`.
    private static func bookNumber(inExtra extra: JSONCursor) -> String? {
        let texts = ["isbn13", "isbn", "isbn10"].compactMap { extra[$0]?.string }
        for text in texts {
            if let found = ISBN.thirteen(in: text.utf8.span) { return found }
        }
        for text in texts {
            if let found = ISBN.thirteenOfTen(in: text.utf8.span) { return found }
        }
        return nil
    }
}

extension ItemIdentity.Mark {
    private static let keyOfHigh: (UInt64, UInt64) = (0x7365_6172_6368_6420, 0x7361_6D65_2069_7431)
    private static let keyOfLow: (UInt64, UInt64) = (0x7365_6172_6368_6420, 0x7361_6D65_2069_7432)

    /// Hashes a text that begins with the class of items in which it is unique.
    init(_ text: Span<UInt8>) {
        high = SipHash.hash(text, key: Self.keyOfHigh)
        low = SipHash.hash(text, key: Self.keyOfLow)
    }
}
