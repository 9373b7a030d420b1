import JSON

/// The number of a book that a hit has among its extra fields.
enum BookNumber {
    /// The ISBN-13, made of the ISBN-10 where that is all there is; of several names the first counts in this order:
    /// `isbn13`, `isbn`, `isbn10`.
    static func thirteen(inExtra extra: Span<UInt8>) -> String? {
        var found: String?
        var others: (isbn13: String?, isbn: String?, isbn10: String?)
        JSONText.forEachMember(of: extra) { name, value in
            // All three names begin so, and hardly another.
            guard extra[name.lowerBound + 1] == UInt8(ascii: "i") else { return true }
            if others.isbn13 == nil, JSONText.isString("isbn13", at: name, of: extra) {
                others.isbn13 = JSONText.string(at: value, of: extra)
                found = others.isbn13.flatMap { ISBN.thirteen(in: $0.utf8.span) }
            } else if others.isbn == nil, JSONText.isString("isbn", at: name, of: extra) {
                others.isbn = JSONText.string(at: value, of: extra)
            } else if others.isbn10 == nil, JSONText.isString("isbn10", at: name, of: extra) {
                others.isbn10 = JSONText.string(at: value, of: extra)
            }
            return found == nil
        }
        if let found { return found }
        let texts = [others.isbn13, others.isbn, others.isbn10].compactMap(\.self)
        return texts.lazy.compactMap { ISBN.thirteen(in: $0.utf8.span) }.first
            ?? texts.lazy.compactMap { ISBN.thirteenOfTen(in: $0.utf8.span) }.first
    }
}
