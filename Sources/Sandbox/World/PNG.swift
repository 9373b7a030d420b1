/// Writes PNG files: two colours, one bit a pixel, the deflate stream in stored blocks.
enum PNG {
    typealias Colour = (red: UInt8, green: UInt8, blue: UInt8)

    static let sideMax = 4096

    /// - Parameters:
    ///   - width: 1 to `sideMax`.
    ///   - height: 1 to `sideMax`.
    ///   - colours: The ground, and what is drawn on it.
    ///   - isDrawn: Whether a pixel, by column and row, has the second colour.
    /// - Returns: The bytes of a complete file.
    static func image(
        width: Int,
        height: Int,
        colours: (Colour, Colour),
        isDrawn: (Int, Int) -> Bool
    ) -> [UInt8] {
        precondition((1...sideMax).contains(width) && (1...sideMax).contains(height), "an image has a bounded size")
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (1 + (width + 7) / 8))
        for row in 0..<height {
            // Each row begins with its filter: none.
            rows.append(0)
            for start in stride(from: 0, to: width, by: 8) {
                var byte: UInt8 = 0
                for column in start..<min(start + 8, width) where isDrawn(column, row) {
                    byte |= 0x80 >> UInt8(column - start)
                }
                rows.append(byte)
            }
        }
        let (ground, ink) = colours
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Depth 1, colour type 3 (palette), no interlacing.
        append("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [1, 3, 0, 0, 0], to: &bytes)
        append("PLTE", [ground.red, ground.green, ground.blue, ink.red, ink.green, ink.blue], to: &bytes)
        append("IDAT", zlib(rows), to: &bytes)
        append("IEND", [], to: &bytes)
        return bytes
    }

    private static func append(_ type: String, _ data: [UInt8], to bytes: inout [UInt8]) {
        let checked = Array(type.utf8) + data
        bytes += bigEndian(UInt32(data.count)) + checked + bigEndian(crc32(checked))
    }

    /// A zlib stream of stored blocks.
    private static func zlib(_ data: [UInt8]) -> [UInt8] {
        let blockMax = 65_535
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: data.count, by: blockMax) {
            let end = min(start + blockMax, data.count)
            let length = UInt16(end - start)
            stream.append(end == data.count ? 1 : 0)
            stream += [UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
            stream += data[start..<end]
        }
        return stream + bigEndian(adler32(data))
    }

    static func adler32(_ data: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    static func crc32(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(UInt32.max) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
    }

    private static let crcTable: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
    }
}
