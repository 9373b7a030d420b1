import Catalogue
package import EventLoop
import JSON
import SearchModel
import Upstream

/// A cached or saved hit.
package struct KnownHit: Sendable {
    package let bytes: [UInt8]
    package let raw: [UInt8]
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

    package init(_ bytes: [UInt8], fetchedAt: Instant) {
        self.bytes = bytes
        (raw, isRecord) = ([], false)
        (self.fetchedAt, freshUntil) = (fetchedAt, fetchedAt)
    }

    /// Returns whether this hit is preferred: first a record, then the longer hit, then the newer hit.
    func isFuller(than other: KnownHit?) -> Bool {
        guard let other else { return true }
        guard isRecord == other.isRecord else { return isRecord }
        return (bytes.count, fetchedAt) > (other.bytes.count, other.fetchedAt)
    }
}

extension CachedPage {
    func knownHit(_ id: String) -> KnownHit? {
        entries.first { $0.id.hasSameBytes(as: id) }.map { KnownHit($0, of: self) }
    }
}

extension ResultCache {
    /// The maximum number of hits to check, newest pages first; this takes about one millisecond.
    package static let knownHitsMax = 50_000

    /// Returns the most complete version of a hit on the cached pages of its source.
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
