import HTTP
import JSON

/// Writes Google's volumes.
struct GoogleWriter {
    let query: GoogleQuery
    let pictures: Pictures
    /// The key of the search, for the ids.
    let search: UInt32
    let pricePercent: Int

    /// No `items` at all when the page is empty.
    func list(_ documents: [Document], total: Int) -> JSONValue {
        Body.object([
            "kind": "books#volumes", "totalItems": .integer(total),
            "items": when(!documents.isEmpty, .array(documents.map { volume($0, inFull: false) })),
        ])
    }

    func volume(_ document: Document, inFull: Bool) -> JSONValue {
        let id = Self.id(search, document.index)
        var prose = Prose(document, topic: Topic(query.text))
        let info = volumeInfo(&prose, document, id: id, inFull: inFull)
        let etag = prose.dice.text(11, of: .base64URL)
        let snippet = inFull || query.isLite ? .none : searchInfo(&prose)
        return Body.object([
            "kind": "books#volume", "id": .string(id), "etag": .string(etag),
            "selfLink": .string("https://www.googleapis.com/books/v1/volumes/\(id)"), "volumeInfo": info,
            "saleInfo": when(!query.isLite, saleInfo(document, id: id)),
            "accessInfo": accessInfo(document, id: id), "searchInfo": snippet,
        ])
    }

    /// A snippet with markup, which the single volume does not have; some volumes have none.
    private func searchInfo(_ prose: inout Prose) -> JSONValue? {
        if prose.dice.chance(1, of: 6) { return nil }
        let text = prose.snippet(sentences: 2).bold
        return ["textSnippet": .string(prose.dice.chance(1, of: 5) ? text + "<br>" : text)]
    }

    // MARK: Ids

    /// Twelve characters: the search's key, the volume's index, and 24 bits to check both by.
    static func id(_ search: UInt32, _ index: Int) -> String {
        let index = UInt64(truncatingIfNeeded: index) & 0xFF_FFFF
        let check = check(search, index)
        // The index is hidden behind the check bits, so that neighbours don't look alike.
        let hidden = index ^ (Dice.mix(check ^ UInt64(search)) & 0xFF_FFFF)
        let alphabet = StaticAlphabet.base64URL.bytes
        let high = UInt64(search) << 12 | check >> 12
        let low = (check & 0xFFF) << 24 | hidden
        let letters = [high, low].flatMap { half in
            (0..<6).map { alphabet[Int(half >> UInt64(30 - 6 * $0)) & 63] }
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// The search and the index of an id; nil for one that the sandbox never gave.
    static func position(of id: String) -> (search: UInt32, index: Int)? {
        let alphabet = StaticAlphabet.base64URL.bytes
        let digits = id.utf8.compactMap { alphabet.firstIndex(of: $0).map { UInt64($0) } }
        guard digits.count == 12, id.utf8.count == 12 else { return nil }
        let high = digits[..<6].reduce(0) { $0 << 6 | $1 }
        let low = digits[6...].reduce(0) { $0 << 6 | $1 }
        let check = (high & 0xFFF) << 12 | low >> 24
        let search = UInt32(truncatingIfNeeded: high >> 12)
        let index = (low & 0xFF_FFFF) ^ (Dice.mix(check ^ UInt64(search)) & 0xFF_FFFF)
        guard Self.check(search, index) == check else { return nil }
        return (search, Int(index))
    }

    private static func check(_ search: UInt32, _ index: UInt64) -> UInt64 {
        Dice.mix(UInt64(search) << 24 | index) & 0xFF_FFFF
    }
}
