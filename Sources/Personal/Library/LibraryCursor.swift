import JSON

/// Where an item stands in a list, by what it is sorted by: that it was removed, or others were saved, makes no
/// difference.
struct LibraryOrderKey: Comparable, Sendable {
    /// Titles whose first bytes are equal, so many of them, are ordered by when they were saved.
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

/// After which item a list goes on: what was saved or removed meanwhile makes none come twice or be skipped.
package struct LibraryCursor: Equatable, Sendable {
    private static let bytesMax = 80 + 2 * LibraryOrderKey.titleBytesMax

    private let key: LibraryOrderKey

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

    /// The index behind which a sorted list goes on.
    func index(in keys: [LibraryOrderKey]) -> Int {
        let last = keys.lastIndex { other in
            // Of titles with one beginning, what comes behind the item itself is known best.
            other <= key || other.number == key.number && other.rank == key.rank && other.title == key.title
        }
        return last.map { $0 + 1 } ?? 0
    }
}
