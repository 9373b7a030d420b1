/// JSON for a terminal: the same value, with what could drive the terminal written as JSON's own escapes.
enum VisibleJSON {
    /// The text as it may be shown; text that is harmless stays as it is.
    static func visible(_ json: some Collection<UInt8>) -> [UInt8] {
        if json.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return Array(json) }
        var shown: [UInt8] = []
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if VisibleText.isSafe(scalar) {
                shown.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            } else {
                // Outside of strings JSON has only blanks to escape, and lines of the wire have none.
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    let digits = String(unit, radix: 16)
                    shown.append(contentsOf: "\\u".utf8)
                    shown.append(contentsOf: String(repeating: "0", count: 4 - digits.count).utf8)
                    shown.append(contentsOf: digits.utf8)
                }
            }
        }
        return shown
    }
}
