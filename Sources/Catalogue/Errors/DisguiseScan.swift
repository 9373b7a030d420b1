import CBytes

/// Finds out whether anything in a text may hide a letter or digit of a secret, or stand between two of them.
///
/// It is asked of every answer, so it only looks at the places where something could: a letter that is written as an
/// entity, an escape or a percent code though it needs none, a tag or an invisible character in the middle of a word.
/// Few texts have such a place; whether a secret really is there is for `UnveiledText` to find out. What hides signs
/// alone needs no answer here: the letters beside them stand there as they are.
struct DisguiseScan: Sendable {
    private static let tagBytesMax = TextLimits.tagBytesMax
    /// For each letter or digit, as bits, those that follow it in a secret, whatever their case.
    private let followers: [UInt64]

    init(_ secrets: [[UInt8]]) {
        var followers = [UInt64](repeating: 0, count: 36)
        for secret in secrets {
            for (first, second) in zip(secret, secret.dropFirst()) {
                guard let first = Self.number(first), let second = Self.number(second) else { continue }
                followers[first] |= 1 << UInt64(second)
            }
        }
        self.followers = followers
    }

    /// - Complexity: O(n) in bytes, 32 at a time where nothing may hide anything.
    func findsAny(in bytes: Span<UInt8>) -> Bool {
        let wordBytes = Int(BYTES_PER_MARKS)
        return unsafe bytes.withUnsafeBytes { text in
            unsafe withUnsafeTemporaryAllocation(
                of: UInt64.self,
                capacity: (text.count + wordBytes - 1) / wordBytes
            ) { marks in
                guard let start = text.baseAddress, let room = marks.baseAddress else { return false }
                // As many bytes are there as are read, and as many words as are written.
                unsafe bytes_mark_disguises(start, text.count, room)
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

    @inline(__always)
    private func hides(_ text: Span<UInt8>, at place: Int) -> Bool {
        switch text[place] {
        case UInt8(ascii: "%"): percentHides(text, at: place)
        case UInt8(ascii: "&"): entityHides(text, behind: place + 1, wordEndsAt: place)
        case UInt8(ascii: "\\"): escapeHides(text, at: place)
        case UInt8(ascii: "<"): place > 0 && Self.number(text[place - 1]) != nil && tagSplits(text, at: place)
        case 0xC2...: scalarHides(text, at: place)
        default: false
        }
    }

    // MARK: Codes

    /// `%61`, `%2561`, `%26#97;`, `a%C2%ADb`.
    @inline(__always)
    private func percentHides(_ text: Span<UInt8>, at place: Int) -> Bool {
        guard var code = Self.hexPair(text, at: place + 1) else { return false }
        var end = place + 3
        while code == 0x25, let inner = Self.hexPair(text, at: end) {
            code = inner
            end += 2
        }
        switch code {
        case 0x23: return place > 0 && text[place - 1] == UInt8(ascii: "&")
        case 0x26:
            return text.holds(Self.numberSign, at: end) || text.holds(Self.encodedNumberSign, at: end)
        case 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xEF, 0xF0...:
            // Encoded twice: the layer within says which character it is.
            guard end == place + 3 else { return Self.isWord(text, before: place) }
            guard let (scalar, _) = UnveiledText.percent(text, at: place) else { return false }
            return hides(scalar, text, wordEndsAt: place)
        default: return Self.number(code) != nil
        }
    }

    /// `&#97;`, `&#x61;`, `&amp;#97;`, `a&shy;b`.
    private func entityHides(_ text: Span<UInt8>, behind start: Int, wordEndsAt word: Int) -> Bool {
        guard start < text.count, "#asz".utf8.contains(text[start]) else { return false }
        var place = start
        while text.holds(Self.ampersand, at: place) { place += Self.ampersand.count }
        guard place < text.count else { return false }
        guard text[place] == UInt8(ascii: "#") else {
            return Self.invisibleNames.contains { text.holds($0, at: place) } && Self.isWord(text, before: word)
        }
        var value: UInt32 = 0
        place += 1
        let isHexadecimal = place < text.count && text[place] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { place += 1 }
        while place < text.count, let digit = Self.digit(text[place]), digit < (isHexadecimal ? 16 : 10) {
            value = min(value * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x11_0000)
            place += 1
        }
        // An ampersand or a percent sign may begin another code.
        if value == 0x26 {
            return text.holds(Self.numberSign, at: place + 1) || text.holds(Self.ampersand, at: place + 1)
        }
        if value == 0x25 { return true }
        return hides(value, text, wordEndsAt: word)
    }

    /// `\u0061`, and what such an escape begins.
    private func escapeHides(_ text: Span<UInt8>, at place: Int) -> Bool {
        guard place + 1 < text.count, text[place + 1] == UInt8(ascii: "u"),
            let high = Self.hexPair(text, at: place + 2), let low = Self.hexPair(text, at: place + 4)
        else { return false }
        switch UInt32(high) << 8 | UInt32(low) {
        case 0x26: return entityHides(text, behind: place + 6, wordEndsAt: place)
        // What may begin another code, or go on with one.
        case 0x23, 0x25, 0x5C: return true
        case 0x3C: return tagSplits(text, at: place)
        case let value: return hides(value, text, wordEndsAt: place)
        }
    }

    /// Whether a scalar that is written as a code is a letter, or splits a word.
    private func hides(_ value: UInt32, _ text: Span<UInt8>, wordEndsAt word: Int) -> Bool {
        if let byte = UInt8(exactly: value), byte < 0x80 { return Self.number(byte) != nil }
        if UnveiledText.narrowed(value) != nil { return true }
        return UnveiledText.isInvisible(value) && Self.isWord(text, before: word)
    }

    // MARK: Characters

    /// An invisible character behind a letter, or a wide letter beside one that follows it in a secret.
    private func scalarHides(_ text: Span<UInt8>, at place: Int) -> Bool {
        guard let (scalar, end) = UnveiledText.scalar(text, at: place) else { return false }
        if UnveiledText.isInvisible(scalar) { return Self.isWord(text, before: place) }
        guard let narrow = UnveiledText.narrowed(scalar), let first = Self.number(narrow) else { return false }
        if place > 0, let before = Self.number(text[place - 1]), followers[before] >> UInt64(first) & 1 == 1 {
            return true
        }
        guard end < text.count else { return false }
        guard let next = UnveiledText.scalar(text, at: end) else {
            // Before a code or a tag nothing is known.
            return Self.number(text[end]).map { followers[first] >> UInt64($0) & 1 == 1 }
                ?? "<&%\\".utf8.contains(text[end])
        }
        if UnveiledText.isInvisible(next.scalar) { return true }
        return UnveiledText.narrowed(next.scalar).flatMap(Self.number)
            .map { followers[first] >> UInt64($0) & 1 == 1 } ?? false
    }

    // MARK: Tags

    /// Whether tags stand between two letters that follow each other in a secret.
    private func tagSplits(_ text: Span<UInt8>, at start: Int) -> Bool {
        guard start > 0, let before = Self.number(text[start - 1]),
            var place = Self.bracket(text, at: start, UInt8(ascii: "<"))
        else { return false }
        let limit = min(text.count, start + Self.tagBytesMax)
        // A bracket in quotes ends no tag; then any that follows may.
        var hasQuotes = false
        while place < limit {
            if let end = Self.bracket(text, at: place, UInt8(ascii: ">")) {
                place = end
                guard end < limit else { return false }
                if let after = Self.number(text[end]), followers[before] >> UInt64(after) & 1 == 1 { return true }
                if let next = Self.bracket(text, at: end, UInt8(ascii: "<")) {
                    place = next
                } else if !hasQuotes {
                    return false
                }
            } else {
                if Self.bracket(text, at: place, UInt8(ascii: "<")) != nil { return false }
                if text[place] == UInt8(ascii: "\"") || text[place] == UInt8(ascii: "'") { hasQuotes = true }
                place += 1
            }
        }
        return false
    }

    /// Behind a sign that stands at a place as it is or escaped.
    private static func bracket(_ text: Span<UInt8>, at place: Int, _ sign: UInt8) -> Int? {
        guard place < text.count else { return nil }
        if text[place] == sign { return place + 1 }
        guard text[place] == UInt8(ascii: "\\"), place + 5 < text.count, text[place + 1] == UInt8(ascii: "u"),
            hexPair(text, at: place + 2) == 0, hexPair(text, at: place + 4) == sign
        else { return nil }
        return place + 6
    }

    // MARK: Letters

    private static let ampersand = Array("amp;".utf8)
    private static let numberSign = Array("#".utf8)
    private static let encodedNumberSign = Array("%23".utf8)
    private static let invisibleNames = ["shy;", "zwj;", "zwnj;"].map { Array($0.utf8) }

    /// Whether a word, or a tag that may stand in one, ends before a place.
    private static func isWord(_ text: Span<UInt8>, before place: Int) -> Bool {
        place > 0 && (number(text[place - 1]) != nil || text[place - 1] == UInt8(ascii: ">"))
    }

    /// The number of a digit or of a letter of whatever case; nil of any other byte.
    @inline(__always)
    private static func number(_ byte: UInt8) -> Int? {
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 { return Int(digit) }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 26 ? Int(letter) + 10 : nil
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 { return digit }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }

    /// The value of two hexadecimal digits.
    @inline(__always)
    private static func hexPair(_ text: Span<UInt8>, at place: Int) -> UInt8? {
        guard place + 2 <= text.count, let high = digit(text[place]), let low = digit(text[place + 1]) else {
            return nil
        }
        return high << 4 | low
    }
}
