import HTTP

/// The pictures to which answers link.
///
/// The name of a picture decides the colours of its stripes.
enum Picture {
    static let source = "sandbox.picture"

    static func isAt(_ path: Substring) -> Bool { ["image/", "thumb/", "art/"].contains { path.hasPrefix($0) } }

    static func response(path: Substring, query: Substring) -> HTTPResponse {
        guard let size = size(in: path) else { return .of(404, "text/plain", Array("no such picture\n".utf8)) }
        let name = path.split(separator: "/").dropFirst().first ?? ""
        let key = Dice.hash("\(name)\(query)")
        return .of(200, "image/png", png(key, size), [("Cache-Control", "max-age=86400")])
    }

    private static func size(in path: Substring) -> (width: Int, height: Int)? {
        let isDigit = { (letter: Character) in letter.isASCII && letter.isNumber }
        guard let cut = path.lastIndex(of: "x"),
            let width = Int(String(path[..<cut].reversed().prefix(while: isDigit).reversed())),
            let height = Int(path[cut...].dropFirst().prefix(while: isDigit)), (1...4096).contains(width),
            (1...4096).contains(height)
        else { return nil }
        return (width, height)
    }

    private static func png(_ key: UInt64, _ size: (width: Int, height: Int)) -> [UInt8] {
        var dice = Dice(key)
        let palette = (0..<3).map { _ in UInt8(dice.roll(200...255)) } + (0..<3).map { _ in UInt8(dice.roll(0...159)) }
        let step = dice.roll(8...24)
        // The byte 0 means that the row has no filter.
        let rows = (0..<size.height).flatMap { (row: Int) -> [UInt8] in
            let pixels: UInt8 = row / step % 2 == 0 ? 0xFF : 0
            return [0] + [UInt8](repeating: pixels, count: (size.width + 7) / 8)
        }
        // 1 is the number of bits per pixel, and 3 means that the pixels are indices of the palette.
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", bigEndian(UInt32(size.width)) + bigEndian(UInt32(size.height)) + [1, 3, 0, 0, 0])
            + chunk("PLTE", palette) + chunk("IDAT", zlib(rows)) + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        let checksum = ~checked.reduce(UInt32.max) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
        return bigEndian(UInt32(data.count)) + checked + bigEndian(checksum)
    }

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
