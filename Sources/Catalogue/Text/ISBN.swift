/// International standard book numbers, found in whatever a source sends and checked by their check digits.
enum ISBN {
    /// The first valid ISBN-10 in a text, without hyphens, its check digit X in upper case.
    static func ten(in text: some StringProtocol) -> String? {
        candidates(in: text).first(where: isTen)
    }

    /// The first valid ISBN-13 in a text, without hyphens.
    static func thirteen(in text: some StringProtocol) -> String? {
        candidates(in: text).first(where: isThirteen)
    }

    /// The words of the text with their hyphens taken out.
    private static func candidates(in text: some StringProtocol) -> [String] {
        let separators: Set<Character> = [" ", ",", "|", ":", ";", "\t", "\n"]
        return text.split(whereSeparator: separators.contains).prefix(TextLimits.listCountMax).map { word in
            String(word.filter { $0 != "-" }).uppercased()
        }
    }

    private static func isTen(_ text: String) -> Bool {
        guard text.utf8.count == 10 else { return false }
        var sum = 0
        for (place, byte) in text.utf8.enumerated() {
            let isX = byte == UInt8(ascii: "X") && place == 9
            guard let digit = isX ? 10 : digit(byte) else { return false }
            sum += digit * (10 - place)
        }
        return sum % 11 == 0
    }

    private static func isThirteen(_ text: String) -> Bool {
        guard text.utf8.count == 13, text.hasPrefix("978") || text.hasPrefix("979") else { return false }
        var sum = 0
        for (place, byte) in text.utf8.enumerated() {
            guard let digit = digit(byte) else { return false }
            sum += place.isMultiple(of: 2) ? digit : digit * 3
        }
        return sum % 10 == 0
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }
}
