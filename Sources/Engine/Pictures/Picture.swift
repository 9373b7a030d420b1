import Catalogue
import EventLoop
import HTTP
import JSON
import RPC
package import SearchModel
import Upstream

/// From which addresses a picture may be fetched.
package enum PictureReach: Sendable {
    /// Any public address with https.
    case open
    /// Only the origin of a configured source; it may have a private address.
    case home
}

/// A picture that may be fetched; callers with equal keys share one fetch.
package struct PictureKey: Hashable, Sendable {
    let address: ExactText
    /// The reach is part of the key, because callers with `open` must not get a picture from a private address.
    let reach: PictureReach

    /// Throws `forbidden` for an address that must not be fetched.
    package init(_ address: String, _ registry: SourceRegistry) throws(SearchError) {
        guard let url = try? FetchURL(escaping: address) else { throw FetchedThing.picture.noAddress }
        let isHome = registry.all.contains { $0.pictureHome == url.origin }
        guard isHome || url.origin.isSecure else {
            throw FetchedThing.picture.forbidden("Pictures are fetched over https only.")
        }
        self.init(ExactText(address), isHome ? .home : .open)
    }

    init(_ address: ExactText, _ reach: PictureReach) {
        (self.address, self.reach) = (address, reach)
    }
}

/// A cached picture; it is not decoded.
package final class Picture: CachedFile, Sendable {
    package let format: PictureFormat
    /// The picture as base64.
    package let text: [UInt8]
    package let byteCount: Int
    let fetchedAt: Instant
    let bytesUsed: Int

    private static let ownBytes = 512

    init(_ format: PictureFormat, text: [UInt8], byteCount: Int, fetchedAt: Instant) {
        (self.format, self.text, self.byteCount, self.fetchedAt) = (format, text, byteCount, fetchedAt)
        bytesUsed = Self.ownBytes + text.count
    }
}

extension ConfiguredSource {
    /// The origin of this source, from which pictures may be fetched; nil if the source is on the Internet.
    var pictureHome: FetchURL.Origin? {
        guard !upstream.isOnInternet else { return nil }
        let base = access.baseURL ?? source.access(with: access.secrets.keys)?.base
        return base.flatMap { try? FetchURL($0) }?.origin
    }
}
