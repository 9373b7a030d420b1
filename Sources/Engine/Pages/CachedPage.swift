package import Catalogue
package import EventLoop
import JSON
package import SearchModel
import Synchronization
package import Upstream

/// One upstream page as it is kept: its hits are serialised one after the other, so an answer copies them.
package final class CachedPage: Sendable {
    /// What merging and paging need of a hit.
    package struct Entry: Sendable {
        package let id: String
        package let title: String
        package let publishedSeconds: Int64?
        /// Identifies the item among those of other sources.
        package let identity: ItemIdentity
        /// The hit in `bytes`.
        package let range: Range<Int>
        /// The source's own document in `raw`; empty when it was not kept.
        package let rawRange: Range<Int>
    }

    /// The figures of the whole list.
    struct Facts: Sendable {
        var total: Int?
        var totalIsEstimate = true
        var reachable: Int?
        var isEnd = false
    }

    /// The memory of a page in addition to its hits, and of an entry in addition to its texts.
    private static let (ownBytes, entryBytes) = (512, 96)

    package let key: PageKey
    package let entries: [Entry]
    /// The hits as JSON objects, joined by commas.
    package let bytes: [UInt8]
    /// The source's own documents, joined by commas.
    package let raw: [UInt8]
    private let facts: Facts
    package let fetchedAt: Instant
    package let freshUntil: Instant
    /// Its approximate memory.
    package let bytesUsed: Int
    /// Ends when the page is replaced, evicted or cleared.
    package let validity = ValidityToken()
    private let memory = Locked<PageMemory?>(nil)
    private let pins = Atomic(0)
    private let madeMatches = Locked<[HitMatch]?>(nil)

    /// How each of its hits matches the query; made when a search of several sources first uses them.
    var matches: [HitMatch] {
        madeMatches.withLock { made in
            if let made { return made }
            var reader = HitTextReader(QueryTerms(key.request.query))
            let matches = entries.map { reader.match($0, of: bytes) }
            made = matches
            return matches
        }
    }

    package var total: Int? { facts.total }
    package var totalIsEstimate: Bool { facts.totalIsEstimate }
    package var reachable: Int? { facts.reachable }
    package var isEnd: Bool { facts.isEnd }

    /// Serialises a decoded page.
    package convenience init(_ page: Page, key: PageKey, fetchedAt: Instant, freshUntil: Instant) {
        var (hits, raw) = (JSONWriter(), JSONWriter())
        let entries = page.hits.map { hit in
            let start = hits.bytes.isEmpty ? 0 : hits.bytes.count + 1
            hit.write(to: &hits, withRaw: false)
            let rawStart = raw.bytes.isEmpty || hit.raw.isEmpty ? raw.bytes.count : raw.bytes.count + 1
            if !hit.raw.isEmpty { raw.rawOnOneLine(hit.raw) }
            return Entry(
                id: hit.id,
                title: hit.title,
                publishedSeconds: hit.published?.epochSeconds,
                identity: ItemIdentity(hit),
                range: start..<hits.bytes.count,
                rawRange: rawStart..<raw.bytes.count
            )
        }
        let facts = Facts(
            total: page.total,
            totalIsEstimate: page.totalIsEstimate,
            reachable: page.reachable,
            isEnd: page.isEnd
        )
        self.init(
            key: key,
            entries: entries,
            bytes: Self.fitted(hits.bytes),
            raw: Self.fitted(raw.bytes),
            facts: facts,
            fetchedAt: fetchedAt,
            freshUntil: freshUntil
        )
    }

    /// A copy without the room to grow that a writer's array has.
    private static func fitted(_ bytes: [UInt8]) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        copy.append(contentsOf: bytes)
        return copy
    }

    /// Makes a page of serialised hits.
    init(
        key: PageKey,
        entries: [Entry],
        bytes: [UInt8],
        raw: [UInt8],
        facts: Facts,
        fetchedAt: Instant,
        freshUntil: Instant
    ) {
        (self.key, self.entries, self.bytes, self.raw, self.facts) = (key, entries, bytes, raw, facts)
        (self.fetchedAt, self.freshUntil) = (fetchedAt, freshUntil)
        let perEntry = MemoryLayout<Entry>.stride + MemoryLayout<HitMatch>.stride + Self.entryBytes
        let texts = entries.reduce(0) { $0 + $1.id.utf8.count + $1.title.utf8.count }
        bytesUsed = Self.ownBytes + bytes.count + raw.count + entries.count * perEntry + texts
    }

    /// Counts its bytes as long as it is alive.
    func count(in memory: PageMemory) {
        let isNew = self.memory.withLock { counted in
            defer { counted = memory }
            return counted == nil
        }
        if isNew { memory.add(bytesUsed) }
    }

    /// Adds to the number of walks that hold the page; returns that number.
    func pinned(by change: Int) -> Int {
        pins.add(change, ordering: .relaxed).newValue
    }

    deinit {
        memory.withLock { $0 }?.add(-bytesUsed)
    }
}

/// The bytes of all pages and pictures that are alive: in the cache, in walks, in answers, in searches under way.
package final class PageMemory: Sendable {
    private let alive = Atomic(0)

    package var bytes: Int { alive.load(ordering: .relaxed) }

    func add(_ bytes: Int) {
        alive.add(bytes, ordering: .relaxed)
    }
}
