import JSON
package import SearchModel

extension ItemIdentity {
    private static let pageKinds: Set<String> = ["answer", "blog", "cafe", "encyclopedia", "news", "story", "web"]

    /// What a hit says of itself; unknown when it has neither an address nor a number.
    ///
    /// - Complexity: O(n) in its address.
    package init(_ hit: Hit) {
        let kind = hit.kind.text
        guard kind != "place" else {
            self = .unknown
            return
        }
        let kindClass = Self.pageKinds.contains(kind) ? "page" : kind
        let shown = kind == "image" ? Self.text(of: "image", in: hit) ?? hit.url : hit.url
        let canonical = shown.map { CanonicalURL.bytes(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        address = canonical.map { Mark($0, in: kindClass) }
        if kind == "book", let isbn = Self.isbn(of: hit) {
            number = Mark(isbn.utf8, in: "book isbn")
        } else {
            number = canonical.flatMap { StoreNumber.text(of: $0) }.map { Mark($0.utf8, in: kindClass + " store") }
        }
    }

    /// The ISBN-13 of a book, made of its ISBN-10 where that is all there is.
    private static func isbn(of hit: Hit) -> String? {
        let texts = ["isbn13", "isbn", "isbn10"].compactMap { text(of: $0, in: hit) }
        return texts.lazy.compactMap { ISBN.thirteen(in: $0.utf8.span) }.first
            ?? texts.lazy.compactMap { ISBN.thirteenOfTen(in: $0.utf8.span) }.first
    }

    private static func text(of name: String, in hit: Hit) -> String? {
        hit.extra.first { $0.name == name }?.value.string
    }
}
