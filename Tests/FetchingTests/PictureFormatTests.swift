import Testing

@testable import Fetching

@Suite struct PictureFormatTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func box(_ brands: String..., length: UInt8? = nil) -> [UInt8] {
        let body = Array("ftyp".utf8) + brands.flatMap { Array($0.utf8) }
        return [0, 0, 0, length ?? UInt8(4 + body.count)] + body
    }

    @Test func `a format is detected from the first bytes`() {
        #expect(PictureFormat(beginningOf: Self.png + [1, 2]) == .png)
        #expect(PictureFormat(beginningOf: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(PictureFormat(beginningOf: Array("GIF87a".utf8)) == .gif)
        #expect(PictureFormat(beginningOf: Array("GIF89a…".utf8)) == .gif)
        #expect(PictureFormat(beginningOf: Array("RIFF1234WEBPVP8 ".utf8)) == .webp)
        #expect(PictureFormat(beginningOf: Self.box("avif", "\0\0\0\0", "mif1")) == .avif)
        #expect(PictureFormat(beginningOf: Self.box("mif1", "\0\0\0\0", "miaf", "avif")) == .avif)
        #expect(PictureFormat(beginningOf: Self.box("avis")) == .avif)
    }

    @Test func `a format is not detected from too few bytes`() {
        let whole = [
            Self.png, [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("RIFF1234WEBP".utf8), Self.box("avif"),
        ]
        for bytes in whole {
            #expect(PictureFormat(beginningOf: bytes) != nil)
            for count in bytes.indices { #expect(PictureFormat(beginningOf: Array(bytes.prefix(count))) == nil) }
        }
    }

    @Test func `unsupported formats are not detected`() {
        for text in ["", "<svg xmlns=", "<!DOCTYPE html>", "{\"a\":1}", "GIF88a", "RIFF1234WAVE", "BM", "%PDF-1.7"] {
            #expect(PictureFormat(beginningOf: Array(text.utf8)) == nil, "\(text)")
        }
        // These are a video, a box with `avif` as its version, a box that ends before `avif`, and an empty box.
        #expect(PictureFormat(beginningOf: Self.box("isom", "\0\0\0\0", "mp42")) == nil)
        #expect(PictureFormat(beginningOf: Self.box("isom", "avif", "mp42")) == nil)
        #expect(PictureFormat(beginningOf: Self.box("isom", "\0\0\0\0", "avif", length: 16)) == nil)
        #expect(PictureFormat(beginningOf: Self.box("avif", length: 0)) == nil)
    }
}
