import JSON
package import SearchModel

/// A query of a library with filters, an order and a page.
package struct LibraryQuery: Equatable, Sendable {
    /// A page ends at this size, even if it has fewer items than `limit`.
    package static let pageBytesMax = 4 << 20
    package static let groupsMax = 1000

    package enum Sort: String, CaseIterable, Sendable {
        case saved
        case published
        case title
        /// The best match first; among equally good matches, the item that was saved last.
        case relevance
        case rating
    }

    package enum Grouping: String, CaseIterable, Sendable {
        case genre
        case kind
        case source
        case tag
        case month
    }

    package var words: String?
    package var kinds: [Kind]?
    /// Source names, which can contain the wildcard *.
    package var sources: [String]?
    package var tags: [Tag] = []
    package var since: Int64?
    package var until: Int64?
    package var sort = Sort.saved
    package var grouping: Grouping?
    package var offset = 0
    /// The end of an earlier page; if set, `offset` is ignored.
    package var cursor: LibraryCursor?
    package var limit = 100

    package init() {}

    package init(words: String, kinds: [Kind]? = nil, offset: Int = 0, limit: Int) {
        (self.words, self.kinds, self.offset, self.limit) = (Self.words(words), kinds, offset, limit)
        sort = .relevance
    }

    /// Returns the words on one line, or nil if the text is empty or too long.
    package static func words(_ text: String) -> String? {
        UserText.line(text, bytesMax: SearchQuery.bytesMax).flatMap { $0.isEmpty ? nil : $0 }
    }
}

package struct LibraryPage: Sendable {
    package struct Group: Sendable {
        package let name: String
        package internal(set) var count: Int
        package internal(set) var items: [[UInt8]] = []
    }

    /// The items are JSON, because parsing them takes longer than finding them.
    package internal(set) var items: [[UInt8]] = []
    package internal(set) var groups: [Group]?
    package internal(set) var total = 0
    package internal(set) var revision: Int64 = 0
    package internal(set) var next: LibraryCursor?
}

/// The position of an item in a sorted list; the cursor of a page is the position of its last item.
package struct LibraryCursor: Comparable, Sendable {
    /// Only this much of a title is compared.
    static let titleBytesMax = 96
    private static let textBytesMax = 80 + 2 * titleBytesMax

    let rank: Int64
    /// Part of the title's sort key; empty unless items are sorted by title.
    let title: [UInt8]
    let savedAt: Int64
    let number: Int64

    init(rank: Int64, title: [UInt8], savedAt: Int64, number: Int64) {
        (self.rank, self.title, self.savedAt, self.number) = (rank, title, savedAt, number)
    }

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
