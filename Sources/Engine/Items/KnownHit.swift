import Catalogue
package import EventLoop
import JSON
import SearchModel
import Upstream

/// A hit as this machine has it.
package struct KnownHit: Sendable {
    /// A JSON object, as an answer has it.
    package let bytes: [UInt8]
    /// The source's own document; empty when it was not kept.
    package let raw: [UInt8]
    /// Whether it is the source's own record of the item.
    package let isRecord: Bool
    package let fetchedAt: Instant
    package let freshUntil: Instant

    init(_ entry: CachedPage.Entry, of page: CachedPage) {
        bytes = Array(page.bytes[entry.range])
        raw = Array(page.raw[entry.rawRange])
        isRecord = page.key.request.item != nil
        fetchedAt = page.fetchedAt
        freshUntil = page.freshUntil
    }

    /// A hit as it was kept beside the pages.
    package init(_ bytes: [UInt8], fetchedAt: Instant) {
        self.bytes = bytes
        (raw, isRecord) = ([], false)
        (self.fetchedAt, freshUntil) = (fetchedAt, fetchedAt)
    }

    /// Whether it says more than another, or as much and is newer; no hit of a search says more than a record.
    func isFuller(than other: KnownHit?) -> Bool {
        guard let other else { return true }
        guard isRecord == other.isRecord else { return isRecord }
        return (bytes.count, fetchedAt) > (other.bytes.count, other.fetchedAt)
    }
}

extension CachedPage {
    /// The hit with an id.
    ///
    /// - Complexity: O(n) in the hits.
    func knownHit(_ id: String) -> KnownHit? {
        entries.first { $0.id.hasSameBytes(as: id) }.map { KnownHit($0, of: self) }
    }
}

extension ResultCache {
    /// How many hits are looked at, those of the newest pages first: about a millisecond's worth.
    package static let knownHitsMax = 50_000

    /// The fullest form of a hit in memory, where its source's pages are looked through.
    ///
    /// - Complexity: O(n) in the pages kept, and at most `knownHitsMax` hits.
    func knownHit(_ id: String, of source: SourceName) -> KnownHit? {
        var found: KnownHit?
        var left = Self.knownHitsMax
        for page in pages(of: source).sorted(by: { $0.fetchedAt > $1.fetchedAt }) {
            left -= page.entries.count
            guard left >= 0 else { break }
            if let hit = page.knownHit(id), hit.isFuller(than: found) { found = hit }
        }
        return found
    }
}
