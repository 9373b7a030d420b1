/// Documents, which stay JSON whatever is masked in them.
extension Redactor {
    /// A longer string that may hide a secret is masked as a whole, since unveiling it would take too long.
    static let stringBytesMax = 64 << 10
    /// How much is read between two calls of `isWanted`, one string at most beside it.
    private static let bytesBetweenQuestions = 64 << 10

    /// The document with the secrets masked in its strings, names included; a number that holds one becomes a string.
    ///
    /// What is no JSON comes back as some text without secrets; only the beginning comes back once `isWanted` has said
    /// no.
    ///
    /// - Complexity: O(n) in the bytes of the document.
    package func redacted(json document: [UInt8], while isWanted: () -> Bool = { true }) -> [UInt8] {
        guard finds(in: document) else { return document }
        let text = document.span
        var redacted: [UInt8] = []
        redacted.reserveCapacity(document.count)
        var (offset, nextQuestion) = (0, Self.bytesBetweenQuestions)
        while offset < text.count {
            if offset >= nextQuestion {
                guard isWanted() else { break }
                nextQuestion = offset + Self.bytesBetweenQuestions
            }
            if text[offset] == UInt8(ascii: "\"") {
                let end = Self.stringEnd(text, from: offset + 1)
                redacted.append(UInt8(ascii: "\""))
                append(string: text.extracting(offset + 1..<end), to: &redacted)
                offset = end
                // The closing quote, unless the text ends before it.
                if offset < text.count { redacted.append(text[offset]) }
                offset += 1
            } else {
                let end = text.index(of: UInt8(ascii: "\""), from: offset)
                append(between: text.extracting(offset..<end), to: &redacted)
                offset = end
            }
        }
        return redacted
    }

    private func append(string: Span<UInt8>, to redacted: inout [UInt8]) {
        guard finds(in: string) else { return redacted.append(string) }
        guard string.count <= Self.stringBytesMax else { return redacted.append(contentsOf: Self.mask.utf8) }
        let secrets = secrets(in: UnveiledText(json: string))
        redacted.append(Self.masked(string, secrets).span)
    }

    /// Appends what stands between strings, words of which may be numbers.
    private func append(between text: Span<UInt8>, to redacted: inout [UInt8]) {
        guard showsPlainly(in: text) else { return redacted.append(text) }
        var offset = 0
        while offset < text.count {
            var end = offset
            while end < text.count, !Self.isMark(text[end]) { end += 1 }
            let word = text.extracting(offset..<end)
            if showsPlainly(in: word), !secrets(in: UnveiledText(word)).isEmpty {
                redacted += "\"\(Self.mask)\"".utf8
            } else {
                redacted.append(word)
            }
            if end < text.count { redacted.append(text[end]) }
            offset = end + 1
        }
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte <= 0x20 || ",:[]{}".utf8.contains(byte)
    }

    /// The closing quote of a string, from behind the opening one, or the end of the text.
    private static func stringEnd(_ text: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset < text.count, text[offset] != UInt8(ascii: "\"") {
            offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(offset, text.count)
    }
}
