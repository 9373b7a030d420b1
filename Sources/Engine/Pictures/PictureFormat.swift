/// The format of a picture, detected by its first bytes; the raw value is its media type.
package enum PictureFormat: String, CaseIterable, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case avif = "image/avif"

    /// At most this many bytes of the `ftyp` box are checked.
    private static let brandBytesMax = 256

    package init?(beginningOf bytes: [UInt8]) {
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

    /// Returns whether the file begins with the `ftyp` box of ISO media files and one of its brands is AVIF.
    private static func hasAVIFBrand(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 12, bytes.dropFirst(4).starts(with: "ftyp".utf8) else { return false }
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let box = bytes.prefix(min(length, brandBytesMax))
        // A version number follows the first brand.
        return stride(from: 8, to: box.count - 3, by: 4).contains { start in
            start != 12 && (box[start...].starts(with: "avif".utf8) || box[start...].starts(with: "avis".utf8))
        }
    }
}
