package import Catalogue
package import EventLoop
import JSON
package import SearchModel
import Synchronization
package import Upstream

/// A cached page of a source's hits; the hits are stored as JSON that answers copy.
package final class CachedPage: Sendable {
    package struct Entry: Sendable {
        package let id: String
        package let title: String
        package let publishedSeconds: Int64?
        /// Hits of different sources for the same item have the same identity.
        package let identity: ItemIdentity
        package let range: Range<Int>
        /// The range of the source's own document in `raw`; empty if it was not stored.
        package let rawRange: Range<Int>
    }

    struct Facts: Sendable {
        var total: Int?
        var totalIsEstimate = true
        var reachable: Int?
        var isEnd = false
    }

    /// The memory use of a page without its hits, and of an entry without its texts.
    private static let (ownBytes, entryBytes) = (512, 96)

    package let key: PageKey
    package let entries: [Entry]
    package let bytes: [UInt8]
    package let raw: [UInt8]
    private let facts: Facts
    package let fetchedAt: Instant
    package let freshUntil: Instant
    package let bytesUsed: Int
    package let validity = ValidityToken()
    private let pins = Atomic(0)
    private let computedMatches = Locked<[HitMatch]?>(nil)

    /// How each hit matches the query; computed at the first use.
    var matches: [HitMatch] {
        computedMatches.withLock { computed in
            if let computed { return computed }
            var reader = HitTextReader(QueryTerms(key.request.query))
            let matches = entries.map { reader.match($0, of: bytes) }
            computed = matches
            return matches
        }
    }

    package var total: Int? { facts.total }
    package var totalIsEstimate: Bool { facts.totalIsEstimate }
    package var reachable: Int? { facts.reachable }
    package var isEnd: Bool { facts.isEnd }

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

    private static func fitted(_ bytes: [UInt8]) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        copy.append(contentsOf: bytes)
        return copy
    }

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

    /// Changes the number of merged lists (`Walk`) that keep the page in memory; returns the new number.
    func changePins(by change: Int) -> Int {
        pins.add(change, ordering: .relaxed).newValue
    }
}
