import JSON

/// The number of a book that a hit has among its extra fields.
enum BookNumber {
    private static let thirteenNames = ["isbn13", "isbn", "isbn10"].map { Array($0.utf8) }

    /// The ISBN-13, made of the ISBN-10 where that is all there is; of several fields the first counts in this order:
    /// `isbn13`, `isbn`, `isbn10`.
    static func thirteen(inExtra extra: Span<UInt8>) -> String? {
        var found: String?
        /// Where the texts of the three fields stand, as far as they have been met.
        var places = [3 of Range<Int>](repeating: 0..<0)
        JSONText.forEachMember(of: extra) { name, value in
            // All three names begin so, and hardly another.
            guard extra[name.lowerBound + 1] == UInt8(ascii: "i"), extra[value.lowerBound] == UInt8(ascii: "\""),
                let rank = thirteenNames.firstIndex(where: { isName($0, at: name, of: extra) }), places[rank].isEmpty
            else { return true }
            // Of plain text only quotes and backslashes are escaped, and neither is part of a number.
            places[rank] = value.lowerBound + 1..<value.upperBound - 1
            if rank == 0 { found = ISBN.thirteen(in: extra.extracting(places[0])) }
            return found == nil
        }
        for rank in places.indices where found == nil { found = ISBN.thirteen(in: extra.extracting(places[rank])) }
        for rank in places.indices where found == nil { found = ISBN.thirteenOfTen(in: extra.extracting(places[rank])) }
        return found
    }

    private static func isName(_ name: [UInt8], at place: Range<Int>, of extra: Span<UInt8>) -> Bool {
        place.count == name.count + 2 && extra.holds(name, at: place.lowerBound + 1)
    }
}
