import JSON

/// Finds valid ISBNs in texts.
enum ISBN {
    static func ten(in text: Span<UInt8>) -> String? {
        first(in: text, digits: 10) { checkSum($0, weights: { 10 - $0 }).isMultiple(of: 11) }
    }

    static func thirteen(in text: Span<UInt8>) -> String? {
        first(in: text, digits: 13) { word in
            (word.begins(with: "978".utf8.span) || word.begins(with: "979".utf8.span))
                && checkSum(word, weights: thirteenWeight).isMultiple(of: 10)
        }
    }

    static func thirteenOfTen(in text: Span<UInt8>) -> String? {
        guard let ten = ten(in: text) else { return nil }
        let digits = "978" + ten.dropLast()
        let sum = checkSum(digits.utf8.span, weights: thirteenWeight)
        return digits + String((10 - sum % 10) % 10)
    }

    private static func first(in bytes: Span<UInt8>, digits: Int, where isRight: (Span<UInt8>) -> Bool) -> String? {
        var word: [UInt8] = []
        for index in 0...bytes.count {
            let byte = index < bytes.count ? bytes[index] : UInt8(ascii: " ")
            if isPart(byte) {
                // Keeps at most one character too many, which shows that the word is not an ISBN.
                if word.count <= digits { word.append(byte.raised) }
            } else if byte != UInt8(ascii: "-") {
                if word.count == digits, isRight(word.span) { return String(validated: word.span) }
                word.removeAll(keepingCapacity: true)
            }
        }
        return nil
    }

    private static func isPart(_ byte: UInt8) -> Bool { byte >= 0x80 || byte.isLetter || byte.isDigit }

    private static func thirteenWeight(_ offset: Int) -> Int { offset.isMultiple(of: 2) ? 1 : 3 }

    private static func checkSum(_ word: Span<UInt8>, weights: (Int) -> Int) -> Int {
        var sum = 0
        for offset in word.indices {
            let isX = word[offset] == UInt8(ascii: "X") && offset == 9 && word.count == 10
            guard isX || word[offset].isDigit else { return -1 }
            sum += (isX ? 10 : Int(word[offset] & 0x0F)) * weights(offset)
        }
        return sum
    }
}
