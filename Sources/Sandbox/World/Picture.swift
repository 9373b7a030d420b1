import HTTP
import JSON

/// The pictures that answers link to: a pattern that depends on the name.
enum Picture {
    /// What requests for pictures are counted under, and their faults are named by.
    static let source = "sandbox.picture"
    private static let sides = 1...4096
    /// The sizes that the thumbnail proxy makes; any other is refused with 403, as the real one does.
    private static let thumbnails = [(120, 174), (130, 130), (138, 78)]

    static func isAt(_ path: Substring) -> Bool {
        ["image/", "thumb/", "art/"].contains { path.hasPrefix($0) }
    }

    /// The URL of a picture that the server has.
    static func image(_ base: String, _ serial: UInt64, _ width: Int, _ height: Int) -> String {
        "\(base)/_sandbox/image/\(String(serial, radix: 36))-\(width)x\(height).png"
    }

    /// A store's picture: the size is the last part of the URL, and can be replaced.
    static func artwork(_ base: String, _ serial: UInt64, _ width: Int, _ height: Int) -> String {
        "\(base)/_sandbox/art/\(String(serial, radix: 36))/\(width)x\(height)bb.jpg"
    }

    /// The small form of a picture through the proxy; only the sizes that the proxy makes are served.
    static func thumbnail(_ base: String, _ original: String, _ width: Int, _ height: Int) -> String {
        "\(base)/_sandbox/thumb/R\(width)x\(height).q85/?fname=\(PercentEncoding.encode(original))"
    }

    /// `image/NAME-WIDTHxHEIGHT.png`, `art/NAME/WIDTHxHEIGHTbb.jpg`, `thumb/RWIDTHxHEIGHT.q85/?fname=ORIGINAL`.
    static func response(path: Substring, _ parameters: Parameters) -> HTTPResponse {
        let parts = path.split(separator: "/").dropFirst()
        guard let name = parts.first, let size = size(in: parts) else {
            return .of(404, "text/plain", Array("no such picture\n".utf8))
        }
        var key = String(name)
        if path.hasPrefix("thumb/") {
            guard thumbnails.contains(where: { $0 == size }) else { return HTTPResponse(status: 403) }
            guard let original = parameters["fname"] else { return HTTPResponse(status: 400) }
            key = original
        }
        return .of(200, "image/png", png(Dice.hash(key), size), [("Cache-Control", "max-age=86400")])
    }

    /// The two numbers around the last `x`.
    private static func size(in parts: ArraySlice<Substring>) -> (Int, Int)? {
        let isDigit = { (letter: Character) in letter.isASCII && letter.isNumber }
        guard let name = parts.last, let cut = name.lastIndex(of: "x"),
            let width = Int(String(name[..<cut].reversed().prefix(while: isDigit).reversed())),
            let height = Int(name[cut...].dropFirst().prefix(while: isDigit)), sides.contains(width),
            sides.contains(height)
        else { return nil }
        return (width, height)
    }

    // MARK: PNG

    /// A PNG file with stripes: two colours, one bit a pixel, the deflate stream in stored blocks.
    private static func png(_ key: UInt64, _ size: (Int, Int)) -> [UInt8] {
        var dice = Dice(key)
        let ink = (0..<3).map { _ in UInt8(dice.roll(160)) }
        let ground = (0..<3).map { _ in UInt8(200 + dice.roll(56)) }
        let (step, slope) = (dice.roll(8...24), dice.roll(1...3))
        var rows: [UInt8] = []
        for row in 0..<size.1 {
            // Each row begins with its filter: none.
            rows.append(0)
            for start in stride(from: 0, to: size.0, by: 8) {
                rows.append(
                    (start..<min(start + 8, size.0)).reduce(0) { byte, column in
                        (column * slope + row) / step % 2 == 0 ? byte | 0x80 >> UInt8(column - start) : byte
                    }
                )
            }
        }
        // Depth 1, colour type 3 (palette), no interlacing.
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", bigEndian(UInt32(size.0)) + bigEndian(UInt32(size.1)) + [1, 3, 0, 0, 0])
            + chunk("PLTE", ground + ink) + chunk("IDAT", zlib(rows)) + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        let checksum = ~checked.reduce(UInt32.max) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
        return bigEndian(UInt32(data.count)) + checked + bigEndian(checksum)
    }

    /// A zlib stream of stored blocks, with its Adler-32 checksum.
    private static func zlib(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: data.count, by: 65_535) {
            let block = data[start..<min(start + 65_535, data.count)]
            let length = UInt16(block.count)
            stream.append(block.endIndex == data.count ? 1 : 0)
            stream += [UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)] + block
        }
        let sums = data.reduce((low: UInt32(1), high: UInt32(0))) { sums, byte in
            let low = (sums.low + UInt32(byte)) % 65_521
            return (low, (sums.high + low) % 65_521)
        }
        return stream + bigEndian(sums.high << 16 | sums.low)
    }

    private static let crcTable: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
    }
}
