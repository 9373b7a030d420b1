/// What a person reads of what a program sent to its terminal.
enum ScreenText {
    /// The characters without the sequences between them, each of which counts as a blank.
    static func plain(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x1B {
                index = end(of: bytes, sequenceAt: index)
                text.append(UInt8(ascii: " "))
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Behind the last byte of a sequence: of a CSI its letter, of anything else the byte after the escape.
    private static func end(of bytes: [UInt8], sequenceAt start: Int) -> Int {
        guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "[") else { return min(start + 2, bytes.count) }
        var index = start + 2
        while index < bytes.count, !(0x40...0x7E).contains(bytes[index]) { index += 1 }
        return min(index + 1, bytes.count)
    }

    /// The number before the last “ loaded”, as the list says how many hits it has; nil when it doesn't say.
    static func loaded(_ text: String) -> Int? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let index = words.lastIndex(of: "loaded"), index > 0 else { return nil }
        return Int(words[index - 1].filter { $0 != "," })
    }
}
