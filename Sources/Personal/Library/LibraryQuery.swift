import JSON
package import SearchModel

/// A query of a library: filters, order and window.
package struct LibraryQuery: Equatable, Sendable {
    package static let limits = 1...1000
    package static let limitDefault = 100
    /// A page is shorter than its limit if its items are larger than this.
    package static let pageBytesMax = 4 << 20
    package static let groupsMax = 1000

    package enum Sort: String, CaseIterable, Sendable {
        /// The latest first.
        case saved
        /// The latest first; undated ones last.
        case published
        case title
        /// By match quality, then the latest first.
        case relevance
        /// The highest first; items without a rating last.
        case rating
    }

    package enum Grouping: String, CaseIterable, Sendable {
        case genre
        case kind
        case source
        case tag
        /// The month of saving, in UTC.
        case month
    }

    /// Words as typed; nil for all items.
    package var words: String?
    package var kinds: [Kind]?
    /// Source names, with * as a wildcard.
    package var sources: [String]?
    /// An item must have all of these tags.
    package var tags: [Tag] = []
    /// When they were saved, in seconds since 1970.
    package var since: Int64?
    package var until: Int64?
    package var sort = Sort.saved
    package var grouping: Grouping?
    package var offset = 0
    /// Where an earlier page stopped, instead of an offset.
    package var cursor: LibraryCursor?
    /// The number of items per page; per group if grouped.
    package var limit = Self.limitDefault

    package init() {}

    /// The best matches of some words.
    package init(words: String, kinds: [Kind]? = nil, offset: Int = 0, limit: Int) {
        (self.words, self.kinds, self.offset, self.limit) = (Self.words(words), kinds, offset, limit)
        sort = .relevance
    }

    /// Normalized words: on one line, without control characters; nil if they are empty or too long.
    package static func words(_ text: String) -> String? {
        UserText.line(text, bytesMax: SearchQuery.bytesMax).flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A part of a library.
package struct LibraryPage: Sendable {
    /// Items with the same name, the largest group first.
    package struct Group: Sendable {
        /// Empty for items without a name.
        package let name: String
        /// The total number of items in the group.
        package internal(set) var count: Int
        package internal(set) var items: [[UInt8]] = []
    }

    /// JSON on one line: parsing and writing items again takes several times as long as finding them.
    package internal(set) var items: [[UInt8]] = []
    /// Nil if not grouped.
    package internal(set) var groups: [Group]?
    /// The total number of matching items.
    package internal(set) var total = 0
    package internal(set) var revision: Int64 = 0
    /// Nil on the last page.
    package internal(set) var next: LibraryCursor?
}

/// The position of an item in a sorted list; it does not depend on other items.
struct LibraryOrderKey: Comparable, Sendable {
    /// Titles that start with the same bytes, up to this length, are in the order of saving.
    static let titleBytesMax = 96

    /// Lower values come first.
    let rank: Int64
    /// The prefix of its title's sort key; empty in other orders.
    let title: [UInt8]
    let savedAt: Int64
    let number: Int64

    static func < (left: LibraryOrderKey, right: LibraryOrderKey) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.title != right.title { return left.title.lexicographicallyPrecedes(right.title) }
        return (-left.savedAt, -left.number) < (-right.savedAt, -right.number)
    }
}

/// The end of a page; later changes neither repeat nor skip an item.
package struct LibraryCursor: Equatable, Sendable {
    private static let bytesMax = 80 + 2 * LibraryOrderKey.titleBytesMax

    let key: LibraryOrderKey

    init(after key: LibraryOrderKey) {
        self.key = key
    }

    /// Nil if the text is not a valid cursor.
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
