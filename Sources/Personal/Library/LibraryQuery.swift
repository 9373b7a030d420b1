import JSON
package import SearchModel

/// A query of a library: filters, order and window.
package struct LibraryQuery: Equatable, Sendable {
    package static let limits = 1...1000
    package static let limitDefault = 100
    /// A page is shorter than its limit when its items have more bytes.
    package static let pageBytesMax = 4 << 20
    package static let groupsMax = 1000

    package enum Sort: String, CaseIterable, Sendable {
        /// The latest first.
        case saved
        /// The latest first; undated ones last.
        case published
        case title
        /// How well the words match, then the latest first.
        case relevance
        /// The best first; those without one last.
        case rating
    }

    package enum Grouping: String, CaseIterable, Sendable {
        case genre
        case kind
        case source
        case tag
        /// In which they were saved, in UTC.
        case month
    }

    /// Words as typed; nil for all items.
    package var words: String?
    package var kinds: [Kind]?
    /// Names, with * as a wildcard.
    package var sources: [String]?
    /// An item must have all of them.
    package var tags: [Tag] = []
    /// When they were saved, in seconds since 1970.
    package var since: Int64?
    package var until: Int64?
    package var sort = Sort.saved
    package var grouping: Grouping?
    package var offset = 0
    /// Where an earlier page stopped, instead of an offset.
    package var cursor: LibraryCursor?
    /// How many items; of each group, when grouped.
    package var limit = Self.limitDefault

    package init() {}

    /// The best matches of some words.
    package init(words: String, kinds: [Kind]? = nil, offset: Int = 0, limit: Int) {
        (self.words, self.kinds, self.offset, self.limit) = (Self.words(words), kinds, offset, limit)
        sort = .relevance
    }

    /// Words as they are looked for: on one line, without control characters; nil when nothing is left, or too much.
    package static func words(_ text: String) -> String? {
        UserText.line(text, bytesMax: SearchQuery.bytesMax).flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A part of a library.
package struct LibraryPage: Sendable {
    /// Items of one name, the largest group first.
    package struct Group: Sendable {
        /// Empty for items that have none.
        package let name: String
        /// How many items it has in all.
        package internal(set) var count: Int
        package internal(set) var items: [[UInt8]] = []
    }

    /// As JSON, on one line: to read them and write them again takes several times as long as finding them.
    package internal(set) var items: [[UInt8]] = []
    /// Nil when it is not grouped.
    package internal(set) var groups: [Group]?
    /// How many items the query finds.
    package internal(set) var total = 0
    package internal(set) var revision: Int64 = 0
    /// Nil at the end.
    package internal(set) var next: LibraryCursor?
}

/// The position of an item in a sorted list; it does not depend on other items.
struct LibraryOrderKey: Comparable, Sendable {
    /// Titles that begin with the same bytes, so many of them, are in the order in which they were saved.
    static let titleBytesMax = 96

    /// The lesser comes first.
    let rank: Int64
    /// The beginning of the sort key of its title; empty in other orders.
    let title: [UInt8]
    let savedAt: Int64
    let number: Int64

    static func < (left: LibraryOrderKey, right: LibraryOrderKey) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.title != right.title { return left.title.lexicographicallyPrecedes(right.title) }
        return (-left.savedAt, -left.number) < (-right.savedAt, -right.number)
    }
}

/// The end of a page; changes meanwhile neither repeat nor skip an item.
package struct LibraryCursor: Equatable, Sendable {
    private static let bytesMax = 80 + 2 * LibraryOrderKey.titleBytesMax

    let key: LibraryOrderKey

    init(after key: LibraryOrderKey) {
        self.key = key
    }

    /// Nil if it is not the text of a cursor.
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
