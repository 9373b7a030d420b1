import JSON
package import SearchModel

/// What shows that two hits are the same item: its address, or a book's ISBN.
///
/// Only things of comparable kinds have anything in common: pages of text (web, blog, cafe, news, story, encyclopedia,
/// answer) with each other; every other kind only with its own, since an app is not the article about it. Images are
/// known by the image and not by the page that shows it; places are never joined, since a chain has one site for many.
package struct ItemIdentity: Hashable, Sendable {
    /// A hash of 128 bits, so that a collision practically never happens, even if someone tries.
    package struct Mark: Hashable, Sendable {
        package let high: UInt64
        package let low: UInt64

        package init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }
    }

    /// The canonical URL.
    package let address: Mark?
    /// The ISBN of a book.
    package let number: Mark?

    package init(address: Mark?, number: Mark?) {
        self.address = address
        self.number = number
    }

    package static let unknown = ItemIdentity(address: nil, number: nil)

    /// Every mark there is; one in common is enough.
    package var marks: [Mark] { [number, address].compactMap(\.self) }
}

extension ItemIdentity {
    private static let isbnClass = Array("book isbn ".utf8)

    /// The identity of a hit; unknown when it has neither an address nor a number.
    ///
    /// - Complexity: O(n) in its address and, for books and images, in its extra fields.
    package init(_ hit: borrowing Hit) {
        let kind = hit.kind.text
        guard kind != "place" else {
            self = .unknown
            return
        }
        let kindClass = Self.isPage(kind) ? "page" : kind
        let extra = kind == "image" || kind == "book" ? (try? JSONDocument(hit.extraText))?.root : nil
        let shown = kind == "image" ? extra?["image"]?.string ?? hit.url : hit.url
        // No class holds a blank, so none and its text can pass for another.
        let classCount = kindClass.utf8.count + 1
        var text: [UInt8] = []
        text.reserveCapacity(classCount + (shown?.utf8.count ?? 0))
        text.append(kindClass.utf8.span)
        text.append(UInt8(ascii: " "))
        if let shown { CanonicalURL.append(shown.utf8.span, to: &text) }
        address = text.count > classCount ? Mark(text.span) : nil
        let isbn = kind == "book" ? extra.flatMap(Self.bookNumber) : nil
        number = isbn.map { isbn in
            let text = Self.isbnClass + isbn.utf8
            return Mark(text.span)
        }
    }

    /// Whether things of a kind are pages of text; short texts are compared sooner than one is hashed.
    private static func isPage(_ kind: String) -> Bool {
        switch kind {
        case "answer", "blog", "cafe", "encyclopedia", "news", "story", "web": true
        default: false
        }
    }

    /// The ISBN-13 of a book, computed from an ISBN-10 where that is all there is; `isbn13` counts before `isbn` and
    /// `isbn10`.
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

    /// The mark of a text that begins with the class of items within which it is unique.
    init(_ text: Span<UInt8>) {
        high = SipHash.hash(text, key: Self.keyOfHigh)
        low = SipHash.hash(text, key: Self.keyOfLow)
    }
}
