/// Base64 of RFC 4648, with padding.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    package static func text(of bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        let (bytes, letters) = (bytes.span, alphabet.span)
        var index = 0
        while index + 2 < bytes.count {
            let bits = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            text.append(letters[bits >> 18])
            text.append(letters[bits >> 12 & 63])
            text.append(letters[bits >> 6 & 63])
            text.append(letters[bits & 63])
            index += 3
        }
        guard index < bytes.count else { return text }
        let hasSecond = index + 1 < bytes.count
        let bits = Int(bytes[index]) << 16 | (hasSecond ? Int(bytes[index + 1]) << 8 : 0)
        text.append(letters[bits >> 18])
        text.append(letters[bits >> 12 & 63])
        text.append(hasSecond ? letters[bits >> 6 & 63] : UInt8(ascii: "="))
        text.append(UInt8(ascii: "="))
        return text
    }

    package static func urlCharacter(for character: UInt8) -> UInt8 {
        switch character {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: character
        }
    }

    package static func bytes(of text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        guard letters.count % 4 == 0 else { return nil }
        let padding = letters.suffix(2).count { $0 == UInt8(ascii: "=") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count / 4 * 3)
        var (bits, count) = (0, 0)
        for letter in letters.dropLast(padding) {
            let value = values[Int(letter)]
            guard value < 64 else { return nil }
            bits = (bits << 6 | Int(value)) & 0xFF_FFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bytes
    }
}
