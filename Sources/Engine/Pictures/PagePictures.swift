import Catalogue
import EventLoop
import HTTP
import JSON
import SearchModel

/// The pictures that the hits of a page name; read when a user is first shown one of these hits, and kept.
final class PagePictures: Sendable {
    private let kept = Locked<[HitPictures]?>(nil)

    /// What keeping them takes; to be counted from the start.
    static func bytes(ofHits count: Int) -> Int { count * MemoryLayout<HitPictures>.stride }

    /// Those of each entry of the page, which must always be the same.
    func of(_ page: CachedPage, _ directory: SourceDirectory) -> [HitPictures] {
        kept.withLock { kept in
            if let kept { return kept }
            let pictures = page.entries.map { HitPictures(page.bytes, $0.range, directory) }
            kept = pictures
            return pictures
        }
    }
}

/// The pictures that one hit names and that may be fetched: its thumbnail, and the image itself.
package struct HitPictures: Sendable {
    private static let names = (
        source: Array("source".utf8), thumbnail: Array("thumbnail".utf8), extra: Array("extra".utf8),
        image: Array("image".utf8)
    )
    private static let secure = Array("https://".utf8)

    package private(set) var thumbnail: PictureMark?
    package private(set) var image: PictureMark?

    package func append(to marks: inout [PictureMark]) {
        if let thumbnail { marks.append(thumbnail) }
        if let image { marks.append(image) }
    }

    /// Reads them where a hit stands as JSON; of a source that is not there any more only what anyone may fetch.
    ///
    /// - Complexity: O(n) in the bytes of the hit.
    package init(_ bytes: [UInt8], _ range: Range<Int>, _ directory: SourceDirectory) {
        var home: FetchURL.Origin?
        var scan = MemberScan(bytes, range)
        while let (name, value) = scan.next() {
            if scan.holds(Self.names.source, at: name) {
                home = scan.text(at: value).flatMap { SourceName($0) }.flatMap { directory[$0]?.pictureHome }
            } else if scan.holds(Self.names.thumbnail, at: name) {
                thumbnail = Self.mark(scan, value, home, in: bytes)
            } else if scan.holds(Self.names.extra, at: name) {
                var extra = MemberScan(bytes, value)
                while image == nil, let (name, value) = extra.next() {
                    if extra.holds(Self.names.image, at: name) { image = Self.mark(extra, value, home, in: bytes) }
                }
            }
        }
    }

    private static func mark(
        _ scan: MemberScan,
        _ value: Range<Int>,
        _ home: FetchURL.Origin?,
        in bytes: [UInt8]
    ) -> PictureMark? {
        // Most addresses are https as they stand, and their sources have no origin of their own.
        if home == nil, bytes[value].starts(with: secure), !bytes[value].contains(UInt8(ascii: "\\")) {
            return PictureMark(bytes[value], .open)
        }
        guard let text = scan.text(at: value), let url = try? FetchURL(escaping: text) else { return nil }
        if let home, url.origin == home { return PictureMark(text, .home) }
        return url.origin.isSecure ? PictureMark(text, .open) : nil
    }
}

extension HitPosition {
    /// The pictures that it names.
    ///
    /// Those of a user's saved items are left out: what stands there may have come from anywhere.
    package func pictures(_ directory: SourceDirectory) -> HitPictures? {
        source == .library ? nil : page.pictures(directory)[index]
    }
}
