/// Links in texts for a model: plain addresses of the web, and no others; pure.
package enum LinkText {
    /// A longer one is dropped.
    static let bytesMax = 2048

    private static let webSchemes = ["https://", "http://"]
    /// They run something, wherever in a word they stand.
    private static let runningSchemes = ["javascript:", "vbscript:"]
    /// They hold or read what a model would take for the link's target; words may end in their names, as metadata.
    private static let holdingSchemes = ["data:", "file:", "blob:", "filesystem:"]

    /// An address as it may stand: of the web, with everything that could end it or render written as `%5B`.
    ///
    /// - Returns: Nil for any other.
    package static func cleaned(_ address: String) -> String? {
        guard address.utf8.count <= bytesMax, isWeb(address.unicodeScalars) else { return nil }
        var result = ""
        for scalar in address.unicodeScalars {
            if scalar.isASCII ? isPlain(scalar) : isPlainBeyondASCII(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for byte in String(scalar).utf8 { result += "%" + hex(byte) }
            }
        }
        return result
    }

    /// Whether a word begins as an address of the web does.
    static func isWeb(_ word: some Collection<Unicode.Scalar>) -> Bool {
        webSchemes.contains { begins(word, with: $0) }
    }

    /// Whether a link that is not of the web begins in a word, with something behind its scheme.
    static func runsSomething(_ word: String.UnicodeScalarView) -> Bool {
        guard word.contains(":") else { return false }
        var before: Unicode.Scalar?
        for index in word.indices {
            defer { before = word[index] }
            let isWithinName = before.map { $0.isASCII && $0.properties.isAlphabetic } ?? false
            let schemes = isWithinName ? runningSchemes : runningSchemes + holdingSchemes
            let rest = word[index...]
            if schemes.contains(where: { begins(rest, with: $0) && rest.count > $0.unicodeScalars.count }) {
                return true
            }
        }
        return false
    }

    /// Whether a word begins with a text of small ASCII letters and signs, in whatever case.
    private static func begins(_ word: some Collection<Unicode.Scalar>, with text: String) -> Bool {
        var expected = text.unicodeScalars.makeIterator()
        var rest = word.makeIterator()
        while let next = expected.next() {
            guard let scalar = rest.next(), lowered(scalar) == next else { return false }
        }
        return true
    }

    /// Small letters, also for those that are written wide.
    private static func lowered(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let ascii = (0xFF01...0xFF5E).contains(scalar.value) ? scalar.value - 0xFEE0 : scalar.value
        let isCapital = (0x41...0x5A).contains(ascii)
        return Unicode.Scalar(isCapital ? ascii + 0x20 : ascii) ?? scalar
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar > " " && scalar < "\u{7F}" && !"<>[]`\"'\\^{}|*~()".unicodeScalars.contains(scalar)
    }

    private static func isPlainBeyondASCII(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .otherLetter, .decimalNumber:
            ScalarFate(scalar) == .stays(scalar)
        default: false
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count < 2 ? "0" + digits : digits
    }
}
