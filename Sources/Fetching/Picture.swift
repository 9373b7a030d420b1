import Catalogue
package import Engine
import EventLoop
import HTTP
import JSON
package import SearchModel
import Upstream

/// Which servers may send a picture.
package enum PictureReach: Sendable {
    /// Any public address with https.
    case open
    /// Only the origin of a configured source. Its address may be private.
    case home
}

/// A picture that may be fetched.
///
/// Callers with equal keys share one fetch.
package struct PictureKey: Hashable, Sendable {
    let address: ExactText
    /// A part of the key, because a reload can change the reach of an address.
    let reach: PictureReach

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

extension ConfiguredSource {
    var pictureHome: FetchURL.Origin? {
        guard !upstream.isOnInternet else { return nil }
        let base = access.baseURL ?? source.access(with: access.secrets.keys)?.base
        return base.flatMap { try? FetchURL($0) }?.origin
    }
}

/// The format of a picture, recognised by its first bytes.
///
/// The raw value is the media type.
enum PictureFormat: String, CaseIterable, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case avif = "image/avif"

    private static let brandBytesMax = 256

    init?(beginningOf bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if Self.hasAVIFBrand(bytes) {
            self = .avif
        } else {
            return nil
        }
    }

    private static func hasAVIFBrand(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 12, bytes.dropFirst(4).starts(with: "ftyp".utf8) else { return false }
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let box = bytes.prefix(min(length, brandBytesMax))
        // The entry at offset 12 is a version number, not a brand.
        return stride(from: 8, to: box.count - 3, by: 4).contains { start in
            start != 12 && (box[start...].starts(with: "avif".utf8) || box[start...].starts(with: "avis".utf8))
        }
    }
}

/// Decides which redirects are allowed while one picture is fetched.
struct PictureHops {
    static let redirectsMax = 3

    private let home: FetchURL.Origin?
    private var isHome: Bool
    private(set) var hasRefused = false

    init(to address: FetchURL, _ reach: PictureReach) {
        home = reach == .home ? address.origin : nil
        isHome = reach == .home
    }

    mutating func mayFollow(to origin: FetchURL.Origin) -> Bool {
        if isHome, origin == home { return true }
        isHome = false
        if !origin.isSecure { hasRefused = true }
        return origin.isSecure
    }

    func mayReach(_ address: PeerAddress) -> Bool { isHome || address.isPublic }
}
