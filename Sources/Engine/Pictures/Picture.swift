import EventLoop
import HTTP
import JSON
import RPC
package import SearchModel

/// The conditions for fetching a picture.
package enum PictureReach: Sendable {
    /// Over https, from public addresses.
    case open
    /// From the origin that the configuration sets for its source, even at a private address.
    case home
}

/// A picture that may be fetched; callers with an equal value share the fetch.
package struct PictureKey: Hashable, Sendable {
    let address: ExactText
    /// A picture fetched under one condition is not returned to callers with the other.
    let reach: PictureReach

    /// - Throws: `forbidden` for an address that must not be fetched.
    package init(_ address: String, _ registry: SourceRegistry) throws(SearchError) {
        guard let url = try? FetchURL(escaping: address) else { throw .noPictureAddress }
        let isHome = registry.all.contains { $0.pictureHome == url.origin }
        guard isHome || url.origin.isSecure else { throw .pictureNotSecure }
        self.init(ExactText(address), isHome ? .home : .open)
    }

    init(_ address: ExactText, _ reach: PictureReach) {
        (self.address, self.reach) = (address, reach)
    }
}

/// A stored picture; only its first few bytes are examined.
package final class Picture: CachedFile, Sendable {
    package let format: PictureFormat
    /// Its bytes as base64, as used in every answer.
    package let text: [UInt8]
    package let byteCount: Int
    let fetchedAt: Instant
    /// Its memory use, including its record in the cache.
    let bytesUsed: Int

    private static let ownBytes = 512

    init(_ format: PictureFormat, text: [UInt8], byteCount: Int, fetchedAt: Instant) {
        (self.format, self.text, self.byteCount, self.fetchedAt) = (format, text, byteCount, fetchedAt)
        bytesUsed = Self.ownBytes + text.count
    }
}
