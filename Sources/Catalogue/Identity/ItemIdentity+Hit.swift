import JSON
package import SearchModel

extension ItemIdentity {
    private static let isbnClass = Array("book isbn ".utf8)
    private static let storeClass = Array(" store ".utf8)

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
        if kind == "book", let extra, let isbn = Self.bookNumber(inExtra: extra) {
            let bytes = Self.isbnClass + isbn.utf8
            number = Mark(bytes.span)
        } else {
            let canonical = text.span.extracting(classCount..<text.count)
            if let found = StoreNumber(canonical) {
                var bytes = Array(kindClass.utf8) + Self.storeClass + found.store
                for index in found.range { bytes.append(canonical[index]) }
                number = Mark(bytes.span)
            } else {
                number = nil
            }
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
