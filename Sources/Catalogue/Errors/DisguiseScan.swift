import CBytes
import JSON

/// Finds out whether a text may hold a secret that is not written plainly.
///
/// A secret stays readable, but is not found byte by byte, when one of its letters is written as a code (`%61`,
/// `&#97;`, `\u0061`), when something that is not shown stands between two of them (a tag, a soft hyphen), or when one
/// is a wide letter. Every answer is searched, so the search has two stages: C marks the bytes at which such a thing
/// can begin, 64 at a time, and `hides` looks at each of those. Nearly all texts have none; whether a secret really is
/// there is for `UnveiledText` to find out.
///
/// Signs are not looked for: a disguised sign leaves the letters beside it as they are, which `Redactor` finds.
struct DisguiseScan: Sendable {
    private let pairs: LetterPairs

    init(_ secrets: [[UInt8]]) { pairs = LetterPairs(of: secrets) }

    /// - Complexity: O(n) in bytes, 32 at a time where nothing can be hidden.
    func findsAny(in bytes: Span<UInt8>) -> Bool {
        let wordBytes = Int(BYTES_PER_MARKS)
        return unsafe bytes.withUnsafeBytes { text in
            unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: (text.count + wordBytes - 1) / wordBytes) {
                marks in
                guard let start = text.baseAddress, let first = marks.baseAddress else { return false }
                // As many bytes are there as are read, and as many words as are written.
                unsafe bytes_mark_disguises(start, text.count, first)
                for word in 0..<marks.count {
                    // Written above.
                    var marked = unsafe marks[word]
                    while marked != 0 {
                        if hides(bytes, at: word * wordBytes + marked.trailingZeroBitCount) { return true }
                        marked &= marked &- 1
                    }
                }
                return false
            }
        }
    }

    @inline(__always) private func hides(_ text: Span<UInt8>, at offset: Int) -> Bool {
        switch text[offset] {
        case UInt8(ascii: "%"): percentCodeHides(text, at: offset)
        case UInt8(ascii: "&"): entityHides(text, at: offset + 1, wordEnd: offset)
        case UInt8(ascii: "\\"): escapeHides(text, at: offset)
        case UInt8(ascii: "<"): tagsSplit(text, at: offset)
        case 0xC2...: characterHides(text, at: offset)
        default: false
        }
    }
}

/// Which letters and digits follow each other in some texts, whatever their case.
private struct LetterPairs: Sendable {
    /// For each letter or digit, as bits, those that follow it.
    private var followers = [UInt64](repeating: 0, count: 36)

    init(of texts: [[UInt8]]) {
        for text in texts {
            for (first, second) in zip(text, text.dropFirst()) {
                guard let first = Self.number(first), let second = Self.number(second) else { continue }
                followers[first] |= 1 << UInt64(second)
            }
        }
    }

    func contains(_ first: UInt8, _ second: UInt8) -> Bool {
        guard let first = Self.number(first), let second = Self.number(second) else { return false }
        return followers[first] >> UInt64(second) & 1 == 1
    }

    /// Digits come first; nil of a byte that is neither a digit nor a letter.
    private static func number(_ byte: UInt8) -> Int? {
        if byte.isDigit { return Int(byte - UInt8(ascii: "0")) }
        return byte.isLetter ? Int(byte.lowered - UInt8(ascii: "a")) + 10 : nil
    }
}

/// What stands there as itself: characters beyond ASCII, and tags.
extension DisguiseScan {
    /// An invisible character behind a word, or a wide letter beside one that is its neighbour in a secret.
    fileprivate func characterHides(_ text: Span<UInt8>, at offset: Int) -> Bool {
        guard let (scalar, end) = UnveiledText.scalar(text, at: offset) else { return false }
        if UnveiledText.isInvisible(scalar) { return Self.isWord(text, before: offset) }
        guard let letter = UnveiledText.narrowed(scalar), letter.isLetter || letter.isDigit else { return false }
        if offset > 0, pairs.contains(text[offset - 1], letter) { return true }
        guard end < text.count else { return false }
        if let (next, _) = UnveiledText.scalar(text, at: end) {
            return UnveiledText.isInvisible(next)
                || UnveiledText.narrowed(next).map { pairs.contains(letter, $0) } ?? false
        }
        // The next letter may be written as a code, or follow a tag.
        return pairs.contains(letter, text[end]) || "<&%\\".utf8.contains(text[end])
    }

    /// Whether tags stand between two letters that are neighbours in a secret.
    func tagsSplit(_ text: Span<UInt8>, at start: Int) -> Bool {
        guard start > 0, text[start - 1].isLetter || text[start - 1].isDigit,
            var offset = Self.bracketEnd(text, at: start, UInt8(ascii: "<"))
        else { return false }
        let limit = min(text.count, start + TextLimits.tagBytesMax)
        // A bracket in quotes does not end a tag; once there were quotes, any bracket may be the end.
        var hasQuotes = false
        while offset < limit {
            if let end = Self.bracketEnd(text, at: offset, UInt8(ascii: ">")) {
                guard end < limit else { return false }
                if pairs.contains(text[start - 1], text[end]) { return true }
                if let nextTag = Self.bracketEnd(text, at: end, UInt8(ascii: "<")) {
                    offset = nextTag
                } else if hasQuotes {
                    offset = end
                } else {
                    return false
                }
            } else {
                if Self.bracketEnd(text, at: offset, UInt8(ascii: "<")) != nil { return false }
                if text[offset] == UInt8(ascii: "\"") || text[offset] == UInt8(ascii: "'") { hasQuotes = true }
                offset += 1
            }
        }
        return false
    }

    /// The offset behind a bracket that is written as itself or as an escape; nil when it is not there.
    private static func bracketEnd(_ text: Span<UInt8>, at offset: Int, _ bracket: UInt8) -> Int? {
        guard offset < text.count else { return nil }
        if text[offset] == bracket { return offset + 1 }
        guard text[offset] == UInt8(ascii: "\\"), offset + 5 < text.count, text[offset + 1] == UInt8(ascii: "u"),
            text.hexPair(at: offset + 2) == 0, text.hexPair(at: offset + 4) == bracket
        else { return nil }
        return offset + 6
    }
}
