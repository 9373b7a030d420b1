/// The longest beginning of some bytes that is plain text already and can be copied as it stands.
///
/// Words of ASCII, Hangul and Chinese characters, with single blanks between them: nearly everything there is.
struct PlainRun {
    /// Where it ends; where it began when there is none.
    private(set) var end: Int
    private(set) var scalarCount = 0

    /// Finds the run that begins at a place, of so many bytes at the most.
    ///
    /// - Complexity: O(n) in the bytes of the run.
    init(_ bytes: Span<UInt8>, from start: Int, markup: TextCleaner.Markup, bytesMax: Int) {
        let limit = min(bytes.count, start + bytesMax)
        end = start
        while end < limit {
            let length = Self.length(bytes, end, markup)
            if length > 0 {
                // The text is valid UTF-8, so that the whole character is there; but perhaps not within the limit.
                guard end + length <= limit else { return }
                end += length
            } else {
                // A blank between two words stays; any other is no part of the run.
                guard bytes[end] == 0x20, end > start, end + 1 < limit, Self.length(bytes, end + 1, markup) > 0 else {
                    return
                }
                end += 1
            }
            scalarCount += 1
        }
    }

    /// The bytes of a character that needs no closer look, by its first two; 0 for any other.
    @inline(__always)
    private static func length(_ bytes: Span<UInt8>, _ index: Int, _ markup: TextCleaner.Markup) -> Int {
        switch bytes[index] {
        case UInt8(ascii: "<"): markup == .html ? 0 : 1
        case UInt8(ascii: "&"): markup == .none ? 1 : 0
        case 0x21...0x7E: 1
        // U+AC00 to U+AFFF, and U+D000 to U+D77F: the first and the last of Hangul.
        case 0xEA: index + 1 < bytes.count && bytes[index + 1] >= 0xB0 ? 3 : 0
        case 0xED: index + 1 < bytes.count && bytes[index + 1] <= 0x9D ? 3 : 0
        // U+4000 to U+9FFF, and U+B000 to U+CFFF: Chinese characters and Hangul, nothing else.
        case 0xE4...0xE9, 0xEB...0xEC: 3
        default: 0
        }
    }
}
