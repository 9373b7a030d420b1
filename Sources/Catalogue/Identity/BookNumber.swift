import JSON

/// The number of a book that a hit has among its extra fields.
enum BookNumber {
    /// The ISBN-13, made of the ISBN-10 where that is all there is; of several fields the first counts in this order:
    /// `isbn13`, `isbn`, `isbn10`.
    static func thirteen(inExtra extra: JSONCursor) -> String? {
        let texts = ["isbn13", "isbn", "isbn10"].compactMap { extra[$0]?.string }
        for text in texts {
            if let found = ISBN.thirteen(in: text.utf8.span) { return found }
        }
        for text in texts {
            if let found = ISBN.thirteenOfTen(in: text.utf8.span) {
                return found
            }
        }
        return nil
    }
}
