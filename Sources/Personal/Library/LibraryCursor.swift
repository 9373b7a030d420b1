import JSON

/// The position of an item in a sorted list; the same whatever else is saved or removed.
struct LibraryOrderKey: Comparable, Sendable {
    /// Titles that begin with the same bytes, so many of them, are in the order in which they were saved.
    static let titleBytesMax = 96

    /// The lesser comes first.
    let rank: Int64
    /// The beginning of what orders its title; empty in other orders.
    let title: [UInt8]
    let savedAt: Int64
    let number: Int64

    static func < (left: LibraryOrderKey, right: LibraryOrderKey) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.title != right.title { return left.title.lexicographicallyPrecedes(right.title) }
        return (-left.savedAt, -left.number) < (-right.savedAt, -right.number)
    }
}

/// The end of a page; whatever is saved or removed meanwhile, no item is repeated or skipped.
package struct LibraryCursor: Equatable, Sendable {
    private static let bytesMax = 80 + 2 * LibraryOrderKey.titleBytesMax

    let key: LibraryOrderKey

    init(after key: LibraryOrderKey) {
        self.key = key
    }

    /// Nil for what no page has given.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let numbers = parts.prefix(3).compactMap { Int64(Substring($0)) }
        guard text.utf8.count <= Self.bytesMax, parts.count == 4, numbers.count == 3,
            let title = Self.bytes(ofHex: Array(parts[3]))
        else { return nil }
        key = LibraryOrderKey(rank: numbers[0], title: title, savedAt: numbers[1], number: numbers[2])
    }

    package var text: String {
        let digits = Array("0123456789abcdef".utf8)
        let title = key.title.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "\(key.rank).\(key.savedAt).\(key.number)." + String(decoding: title, as: UTF8.self)
    }

    private static func bytes(ofHex text: [UInt8]) -> [UInt8]? {
        let digits = text.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Whether a position is after the page.
    func precedes(_ position: LibraryOrderKey) -> Bool { key < position }
}
