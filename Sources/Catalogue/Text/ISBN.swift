/// International standard book numbers, found in whatever a source sends and checked by their check digits.
enum ISBN {
    /// The first valid ISBN-10 in a text, without hyphens, its check digit X in upper case.
    static func ten(in text: String) -> String? {
        first(in: text, digits: 10, where: isTen)
    }

    /// The first valid ISBN-13 in a text, without hyphens.
    static func thirteen(in text: String) -> String? {
        first(in: text, digits: 13, where: isThirteen)
    }

    /// The first word of so many digits, hyphens not counted, that is right.
    private static func first(in text: String, digits: Int, where isRight: ([UInt8]) -> Bool) -> String? {
        var word: [UInt8] = []
        word.reserveCapacity(digits + 1)
        let bytes = text.utf8.span
        for index in 0...bytes.count {
            let byte = index < bytes.count ? bytes[index] : UInt8(ascii: " ")
            if byte == UInt8(ascii: "-") { continue }
            if isPart(byte) {
                // One more than are wanted is enough to know that it is none.
                if word.count <= digits { word.append(byte | 0x20 == UInt8(ascii: "x") ? UInt8(ascii: "X") : byte) }
            } else {
                if word.count == digits, isRight(word) { return String(decoding: word, as: UTF8.self) }
                word.removeAll(keepingCapacity: true)
            }
        }
        return nil
    }

    /// A digit, a letter, or a byte of a character that is neither: what makes a word longer.
    private static func isPart(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isTen(_ word: [UInt8]) -> Bool {
        var sum = 0
        for (place, byte) in word.enumerated() {
            let isX = byte == UInt8(ascii: "X") && place == 9
            guard isX || isDigit(byte) else { return false }
            sum += (isX ? 10 : Int(byte - UInt8(ascii: "0"))) * (10 - place)
        }
        return sum % 11 == 0
    }

    private static func isThirteen(_ word: [UInt8]) -> Bool {
        guard word.starts(with: "978".utf8) || word.starts(with: "979".utf8) else { return false }
        var sum = 0
        for (place, byte) in word.enumerated() {
            guard isDigit(byte) else { return false }
            sum += Int(byte - UInt8(ascii: "0")) * (place.isMultiple(of: 2) ? 1 : 3)
        }
        return sum % 10 == 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
