import Catalogue
import Hangul
import SearchModel

/// The hits of several sources that have come: those given, in order, and those that wait for their turn, joined.
///
/// The hit that came first stays; the same item of another source only raises it. Of two hits of one source neither is
/// joined with the other: the source says that they differ.
///
/// Invariant: no two heads of different sources have a mark in common; `pending[source]` is the number of items that
/// wait and in which the source has a part; the hits of `given` are never moved or removed.
struct MergePool: Sendable {
    private struct Item: Sendable {
        var hit: HitPosition
        var order: MergeOrder
        /// Where it stands in `given`, once it does.
        var position: Int?
    }

    let sort: Sort
    let sources: [SourceProfile]
    private(set) var given: [HitPosition] = []
    private(set) var pending: [Int]
    private var items: [Item] = []
    /// The items that wait, the next one last.
    private var waiting: [Int] = []
    private var known: [ItemIdentity.Mark: Int] = [:]
    private var seen: Set<String> = []

    init(sort: Sort, sources: [SourceProfile]) {
        self.sort = sort
        self.sources = sources
        pending = Array(repeating: 0, count: sources.count)
    }

    /// What comes next; nil when nothing waits.
    var next: MergeOrder? { waiting.last.map { items[$0].order } }

    /// The pages that hits which wait stand in.
    var waitingPages: [CachedPage] { waiting.map { items[$0].hit.page } }

    /// Puts a page's hits from an index on at the end of what is given, as they stand: for a source alone that keeps the
    /// order.
    ///
    /// Answers whether any of them is new.
    mutating func give(all page: CachedPage, from start: Int = 0) -> Bool {
        let count = given.count
        makeRoom(for: page.entries.count - start)
        if given.isEmpty { given.reserveCapacity(page.entries.count) }
        // Looked at where they are: a copy of an entry counts its references.
        let all = page.entries
        let entries = all.span
        for index in start..<entries.count where seen.insert(entries[index].id).inserted {
            given.append(HitPosition(page: page, index: index))
        }
        return given.count > count
    }

    /// Lets a page's hits wait for their turn, each joined with what is known to be the same; whether any of them is
    /// new.
    ///
    /// `source` is the source's index in the search, `firstRank` the rank of the page's first hit in its list.
    mutating func receive(_ page: CachedPage, from source: Int, firstRank: Int) -> Bool {
        var anythingNew = false
        makeRoom(for: page.entries.count)
        for (index, entry) in page.entries.enumerated() where seen.insert(entry.id).inserted {
            anythingNew = true
            let rank = firstRank + index
            let marks = entry.identity.marks
            let twin = marks.lazy.compactMap { [known] in known[$0] }.first { [items] in
                items[$0].order.source != source
            }
            let number = twin ?? items.count
            if let twin {
                join(entry.id, of: page.key.source, at: source, rank: rank, with: twin)
            } else {
                let order = MergeOrder(key: key(entry, rank: rank, source), source: source, rank: rank)
                items.append(Item(hit: HitPosition(page: page, index: index), order: order))
                waiting.append(number)
                pending[source] += 1
            }
            for mark in marks where known[mark] == nil { known[mark] = number }
        }
        return anythingNew
    }

    /// Makes room at once: a set that grows hashes all it holds again.
    private mutating func makeRoom(for count: Int) {
        let needed = seen.count + count
        if needed > seen.capacity { seen.reserveCapacity(max(needed, seen.count * 2)) }
    }

    /// Puts what waits in order; to be called when pages have come, before anything is given.
    mutating func arrange() {
        let items = items
        waiting.sort { items[$1].order < items[$0].order }
        checkInvariants()
    }

    /// Gives what comes next, which must wait.
    mutating func giveNext() {
        guard let number = waiting.popLast() else { return }
        let item = items[number]
        items[number].position = given.count
        given.append(item.hit)
        pending[item.order.source] -= 1
        for duplicate in item.hit.duplicates { pending[duplicate.sourceIndex] -= 1 }
        checkInvariants()
    }

    private func checkInvariants() {
        assert(given.count <= seen.count && waiting.count <= items.count && isPendingRight)
    }

    /// Whether `pending` counts what waits; looked at only while little does.
    private var isPendingRight: Bool {
        guard waiting.count < 16 else { return true }
        return sources.indices.allSatisfy { source in
            let parts = waiting.count { number in
                items[number].order.source == source
                    || items[number].hit.duplicates.contains { $0.sourceIndex == source }
            }
            return pending[source] == parts
        }
    }

    /// The key that a hit of the source with this index has by itself.
    func key(_ entry: CachedPage.Entry, rank: Int, _ source: Int) -> MergeOrder.Key {
        switch sort {
        case .relevance: .score(MergeOrder.share(ofRank: rank, weight: sources[source].weight))
        case .recency: .date(entry.publishedSeconds ?? .min)
        case .title: .title(TitleOrder(entry.title))
        }
    }

    /// Adds to an item what another source has of it; what a source repeats of it adds nothing.
    private mutating func join(_ id: String, of name: SourceName, at source: Int, rank: Int, with number: Int) {
        var duplicates = items[number].hit.duplicates
        guard !duplicates.contains(where: { $0.sourceIndex == source }) else { return }
        let position = items[number].position
        let duplicate = HitPosition.Duplicate(
            source: name,
            id: id,
            sourceIndex: source,
            rank: rank,
            counts: position == nil
        )
        duplicates.insert(duplicate, at: duplicates.firstIndex { $0.sourceIndex > source } ?? duplicates.count)
        items[number].hit.duplicates = duplicates
        if let position {
            given[position].duplicates = duplicates
            return
        }
        pending[source] += 1
        if case .score(let score) = items[number].order.key {
            let share = MergeOrder.share(ofRank: rank, weight: sources[source].weight)
            items[number].order.key = .score(score + share)
        }
    }
}
