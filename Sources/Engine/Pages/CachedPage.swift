package import Catalogue
package import EventLoop
import Glibc
package import SearchModel
package import Upstream

/// One upstream page as it is kept: hits serialised one after the other, so that an answer is a few copies.
package final class CachedPage: Sendable {
    /// What merging and paging need of a hit without reading its text again.
    package struct Entry: Sendable {
        package let id: String
        package let title: String
        package let publishedSeconds: Int64?
        /// What it has in common with the same thing from other sources.
        package let identity: ItemIdentity
        /// Where the hit stands in `bytes`.
        package let range: Range<Int>
        /// Where the source's own document stands in `raw`; empty when it was not kept.
        package let rawRange: Range<Int>
    }

    /// What a source says beside its hits.
    struct Facts: Equatable, Sendable {
        let total: Int?
        let totalIsEstimate: Bool
        let reachable: Int?
        let isEnd: Bool
    }

    package let key: PageKey
    package let entries: [Entry]
    /// The hits as JSON objects, joined by commas.
    package let bytes: [UInt8]
    /// The sources' own documents, joined by commas.
    package let raw: [UInt8]
    private let facts: Facts
    package let fetchedAt: Instant
    package let freshUntil: Instant
    /// Pages of one key and one number, zero apart, hold the same: on disk it need not be written again.
    let content: UInt64
    /// What the page itself and its validity token take.
    private static let ownBytes = 256

    /// A copy that takes no more memory than it holds: writing grows an array in leaps.
    private static func fitted(_ bytes: [UInt8]) -> [UInt8] {
        // The buffer lives through the call, which copies it into an array of exactly its size.
        unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// The bytes this page holds on to: what the cache's bound counts.
    package let bytesUsed: Int
    /// Ends when the page is replaced or cleared.
    package let validity = ValidityToken()
    /// Counts it while it is alive; nil for a page that no cache has seen.
    private let memory: PageMemory?
    private let pageMatches = PageMatches()

    /// How each of its hits matches the query.
    var matches: [HitMatch] { pageMatches.of(self) }

    package var total: Int? { facts.total }
    package var totalIsEstimate: Bool { facts.totalIsEstimate }
    package var reachable: Int? { facts.reachable }
    package var isEnd: Bool { facts.isEnd }

    /// Serialises a page that has just been decoded.
    package convenience init(
        _ page: Page,
        key: PageKey,
        fetchedAt: Instant,
        freshUntil: Instant,
        content: UInt64 = 0,
        memory: PageMemory? = nil
    ) {
        var writer = HitsWriter(page.hits)
        let entries = writer.append(page.hits)
        let facts = Facts(
            total: page.total,
            totalIsEstimate: page.totalIsEstimate,
            reachable: page.reachable,
            isEnd: page.isEnd
        )
        self.init(
            key: key,
            entries: entries,
            bytes: Self.fitted(writer.bytes),
            // Room was made for just these.
            raw: writer.raw,
            facts: facts,
            fetchedAt: fetchedAt,
            freshUntil: freshUntil,
            content: content,
            memory: memory
        )
    }

    /// Puts a page together whose hits are serialised already.
    init(
        key: PageKey,
        entries: [Entry],
        bytes: [UInt8],
        raw: [UInt8],
        facts: Facts,
        fetchedAt: Instant,
        freshUntil: Instant,
        content: UInt64,
        memory: PageMemory? = nil
    ) {
        self.key = key
        self.entries = entries
        self.bytes = bytes
        self.raw = raw
        self.facts = facts
        self.fetchedAt = fetchedAt
        self.freshUntil = freshUntil
        self.content = content
        let texts = entries.reduce(0) { $0 + AllocationSize.bytes(of: $1.id) + AllocationSize.bytes(of: $1.title) }
        bytesUsed =
            Self.ownBytes + AllocationSize.bytes(of: bytes) + AllocationSize.bytes(of: raw)
            + AllocationSize.bytes(of: entries) + texts + PageMatches.bytes(ofHits: entries.count)
            + AllocationSize.bytes(of: key.request.query.text) + AllocationSize.bytes(of: key.request.options)
        self.memory = memory
        memory?.add(bytesUsed)
    }

    deinit {
        memory?.remove(bytesUsed)
    }

    /// Whether another page of the key says the same.
    func holdsSame(as other: CachedPage) -> Bool {
        facts == other.facts && Self.same(raw, other.raw) && Self.same(bytes, other.bytes)
    }

    /// As `==`, but not byte by byte.
    private static func same(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        // Both hold as many bytes, and live through the comparison.
        return unsafe left.isEmpty || memcmp(left, right, left.count) == 0
    }

    /// The same page, with other times or another number, counted by a cache; the two share what they hold.
    func renewed(
        fetchedAt: Instant? = nil,
        freshUntil: Instant? = nil,
        content: UInt64? = nil,
        countedIn memory: PageMemory
    ) -> CachedPage {
        CachedPage(
            key: key,
            entries: entries,
            bytes: bytes,
            raw: raw,
            facts: facts,
            fetchedAt: fetchedAt ?? self.fetchedAt,
            freshUntil: freshUntil ?? self.freshUntil,
            content: content ?? self.content,
            memory: memory
        )
    }
}
