package import Catalogue
package import EventLoop
import JSON
package import SearchModel
import Synchronization
package import Upstream

/// A page of a source's hits, stored as JSON that is copied into answers.
package final class CachedPage: Sendable {
    package struct Entry: Sendable {
        package let id: String
        package let title: String
        package let publishedSeconds: Int64?
        package let identity: ItemIdentity
        package let range: Range<Int>
        /// The range of the source's own document in `raw`; empty if the document was not stored.
        package let rawRange: Range<Int>
    }

    private static let (ownBytes, entryBytes) = (512, 96)

    package let key: PageKey
    package let entries: [Entry]
    package let bytes: [UInt8]
    package let raw: [UInt8]
    package let total: Int?
    package let totalIsEstimate: Bool
    package let reachable: Int?
    package let isEnd: Bool
    package let fetchedAt: Instant
    package let freshUntil: Instant
    package let bytesUsed: Int
    package let validity = ValidityToken()
    private let pins = Atomic(0)
    private let computedMatches = Locked<[HitMatch]?>(nil)

    var matches: [HitMatch] {
        computedMatches.withLock { computed in
            if let computed { return computed }
            var reader = HitTextReader(QueryTerms(key.request.query))
            let matches = entries.map { reader.match($0, of: bytes) }
            computed = matches
            return matches
        }
    }

    package convenience init(_ page: Page, key: PageKey, fetchedAt: Instant, freshUntil: Instant) {
        var (hits, raw) = (JSONWriter(), JSONWriter())
        // The hits may be somewhat longer than the source's own documents.
        let expected = page.hits.reduce(0) { $0 + $1.raw.count + 1 }
        hits.bytes.reserveCapacity(expected * 3 / 2)
        raw.bytes.reserveCapacity(expected)
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
        self.init(
            key: key,
            entries: entries,
            bytes: Self.fitted(hits.bytes),
            raw: Self.fitted(raw.bytes),
            total: page.total,
            totalIsEstimate: page.totalIsEstimate,
            reachable: page.reachable,
            isEnd: page.isEnd,
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
        total: Int?,
        totalIsEstimate: Bool,
        reachable: Int?,
        isEnd: Bool,
        fetchedAt: Instant,
        freshUntil: Instant
    ) {
        (self.key, self.entries, self.bytes, self.raw) = (key, entries, bytes, raw)
        (self.total, self.totalIsEstimate, self.reachable, self.isEnd) = (total, totalIsEstimate, reachable, isEnd)
        (self.fetchedAt, self.freshUntil) = (fetchedAt, freshUntil)
        let perEntry = MemoryLayout<Entry>.stride + MemoryLayout<HitMatch>.stride + Self.entryBytes
        let texts = entries.reduce(0) { $0 + $1.id.utf8.count + $1.title.utf8.count }
        bytesUsed = Self.ownBytes + bytes.count + raw.count + entries.count * perEntry + texts
    }

    /// Changes the number of merged lists (`Walk`) that keep the page in memory.
    func changePins(by change: Int) -> Int {
        pins.add(change, ordering: .relaxed).newValue
    }
}

/// Records whether a page or `Walk` is still valid, and whether it was used.
///
/// `@unchecked` is safe because only the loop has access.
package final class ValidityToken: @unchecked Sendable {
    package private(set) var isEnded = false
    private var isUsed = false

    func end() {
        isEnded = true
    }

    @discardableResult
    func use() -> Bool {
        isUsed = true
        return !isEnded
    }

    func takeUse() -> Bool {
        defer { isUsed = false }
        return isUsed
    }
}
