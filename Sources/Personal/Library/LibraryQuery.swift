import JSON
package import SearchModel

/// A query of a library: filters, order and page.
package struct LibraryQuery: Equatable, Sendable {
    /// A page ends when its items have this size, even if it has fewer items than `limit`.
    package static let pageBytesMax = 4 << 20
    package static let groupsMax = 1000

    package enum Sort: String, CaseIterable, Sendable {
        /// The latest first.
        case saved
        /// The latest first; items without a date last.
        case published
        case title
        /// The best match first; among equal matches, the item saved last.
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
    /// The range of the time of saving, in seconds since 1970.
    package var since: Int64?
    package var until: Int64?
    package var sort = Sort.saved
    package var grouping: Grouping?
    package var offset = 0
    /// The end of an earlier page; used instead of `offset`.
    package var cursor: LibraryCursor?
    /// The number of items per page, or per group if there is a grouping.
    package var limit = 100

    package init() {}

    /// Finds the best matches of some words.
    package init(words: String, kinds: [Kind]? = nil, offset: Int = 0, limit: Int) {
        (self.words, self.kinds, self.offset, self.limit) = (Self.words(words), kinds, offset, limit)
        sort = .relevance
    }

    /// Returns words on one line without control characters; nil if they are empty or too long.
    package static func words(_ text: String) -> String? {
        UserText.line(text, bytesMax: SearchQuery.bytesMax).flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A page of the items that a query finds.
package struct LibraryPage: Sendable {
    /// Items with the same name, the largest group first.
    package struct Group: Sendable {
        /// Empty for items without a name.
        package let name: String
        /// The total number of items in the group.
        package internal(set) var count: Int
        package internal(set) var items: [[UInt8]] = []
    }

    /// The items as JSON on one line, because parsing and writing them again takes longer than finding them.
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
///
/// A page ends with the cursor of its last item. If items change, the next page neither repeats nor skips an item.
package struct LibraryCursor: Comparable, Sendable {
    /// Titles that start with the same bytes, up to this length, are in the order of saving.
    static let titleBytesMax = 96
    private static let textBytesMax = 80 + 2 * titleBytesMax

    /// Lower values come first.
    let rank: Int64
    /// The beginning of the title's sort key; empty if items are not sorted by title.
    let title: [UInt8]
    let savedAt: Int64
    let number: Int64

    init(rank: Int64, title: [UInt8], savedAt: Int64, number: Int64) {
        (self.rank, self.title, self.savedAt, self.number) = (rank, title, savedAt, number)
    }

    /// Returns nil if the text is not a valid cursor.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let numbers = parts.prefix(3).compactMap { Int64(Substring($0)) }
        guard text.utf8.count <= Self.textBytesMax, parts.count == 4, numbers.count == 3,
            let title = Base64.bytes(of: String(Substring(parts[3])))
        else { return nil }
        self.init(rank: numbers[0], title: title, savedAt: numbers[1], number: numbers[2])
    }

    package var text: String {
        "\(rank).\(savedAt).\(number)." + String(decoding: Base64.text(of: title), as: UTF8.self)
    }

    package static func < (left: LibraryCursor, right: LibraryCursor) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.title != right.title { return left.title.lexicographicallyPrecedes(right.title) }
        return (-left.savedAt, -left.number) < (-right.savedAt, -right.number)
    }
}
