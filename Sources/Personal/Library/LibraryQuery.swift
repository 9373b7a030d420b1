package import SearchModel

/// Which items of a library are wanted, and in what order.
package struct LibraryQuery: Equatable, Sendable {
    package static let offsetMax = 1_000_000
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

    /// Words, as someone types them; nil for all items.
    package var words: String?
    package var kinds: [Kind]?
    /// Names, in which * stands for anything.
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
package struct LibraryPage: Equatable, Sendable {
    /// Items of one name, the largest group first.
    package struct Group: Equatable, Sendable {
        /// Empty for items that have none.
        package let name: String
        /// How many items it has in all.
        package internal(set) var count: Int
        package internal(set) var items: [KeptItem] = []
    }

    package internal(set) var items: [KeptItem] = []
    /// Nil when it is not grouped.
    package internal(set) var groups: [Group]?
    /// How many items the query finds.
    package internal(set) var total = 0
    package internal(set) var revision: Int64 = 0
    /// Nil at the end.
    package internal(set) var next: LibraryCursor?
}
