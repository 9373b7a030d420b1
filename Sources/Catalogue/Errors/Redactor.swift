import JSON
package import SearchModel

/// Masks the secrets of an account, also if they are percent-encoded, escaped or in base64.
package struct Redactor: Sendable {
    static let mask = "‹secret›"

    private let needles: [[UInt8]]
    private let words: WordSearch

    package init(_ secrets: some Sequence<Secret>) {
        var (needles, words): (Set<[UInt8]>, [ArraySlice<UInt8>]) = ([], [])
        for secret in secrets.map({ Array($0.reveal().utf8) }) where !secret.isEmpty {
            needles.insert(secret)
            // Letters in percent codes may have either case, so `words` gets only the text between them.
            let codes = Array(PercentEncoding.encode(String(decoding: secret, as: UTF8.self)) { _ in false }.utf8)
            words.append(codes.split(whereSeparator: \.isLetter).max { $0.count < $1.count } ?? [])
            for lead in 0..<3 {
                // The characters at both ends are omitted, because they also depend on the bytes next to the secret.
                let whole = Base64.text(of: [UInt8](repeating: 0, count: lead) + secret)
                let form = whole[((lead * 8 + 5) / 6)..<((lead + secret.count) * 8 / 6)]
                if form.count >= 4 { needles.formUnion([Array(form), form.map(Base64.urlCharacter)]) }
            }
        }
        self.needles = Array(needles)
        // Letters and digits are seldom escaped, so `words` gets only those. `escapesLetters` finds the other texts.
        words += needles.map { $0.split { !$0.isLetter && !$0.isDigit }.max { $0.count < $1.count } ?? [] }
        self.words = WordSearch(words)
    }

    package func redacted(_ text: String) -> String {
        String(decoding: redacted(Array(text.utf8)), as: UTF8.self)
    }

    /// In JSON, a number with a secret becomes a string.
    package func redacted(_ bytes: [UInt8], json: Bool = false) -> [UInt8] {
        let text = bytes.span
        guard !needles.isEmpty, words.mayFind(in: text) || Self.escapesLetters(text) else { return bytes }
        var redacted: [UInt8] = []
        var (offset, isInString) = (0, false)
        while offset < text.count {
            if let end = secretEnd(in: text, at: offset, json: json) {
                let isNumber = json && !isInString
                while isNumber, let last = redacted.last, last > 0x20, !",:[".utf8.contains(last) {
                    redacted.removeLast()
                }
                redacted += (isNumber ? "\"\(Self.mask)\"" : Self.mask).utf8
                offset = end
                while isNumber, offset < text.count, text[offset] > 0x20, !",]}".utf8.contains(text[offset]) {
                    offset += 1
                }
            } else {
                if text[offset] == UInt8(ascii: "\"") { isInString.toggle() }
                let isEscape = json && text[offset] == UInt8(ascii: "\\")
                let end = isEscape ? Self.escape(in: text, at: offset)?.end ?? offset + 1 : offset + 1
                redacted.append(text.extracting(offset..<end))
                offset = end
            }
        }
        return redacted
    }

    private func secretEnd(in text: Span<UInt8>, at start: Int, json: Bool) -> Int? {
        let escaped = Self.escape(in: text, at: Self.lastBackslash(in: text, at: start))?.bytes.first
        var longest: Int?
        for needle in needles where needle[0] == text[start] || needle[0] == escaped {
            var (offset, rest) = (start, needle[...])
            while let next = rest.first, offset < text.count {
                let last = next == UInt8(ascii: "\\") ? offset : Self.lastBackslash(in: text, at: offset)
                if let escape = Self.escape(in: text, at: last), rest.starts(with: escape.bytes) {
                    (offset, rest) = (escape.end, rest.dropFirst(escape.bytes.count))
                } else {
                    guard text[offset] == next, !json || next != UInt8(ascii: "\\") else { break }
                    (offset, rest) = (offset + 1, rest.dropFirst())
                }
            }
            if !rest.isEmpty {
                guard !json, text.holds(needle.span, at: start) else { continue }
                offset = start + needle.count
            }
            longest = max(longest ?? 0, offset)
        }
        return longest
    }

    /// Nested JSON has several backslashes before an escaped character.
    private static func lastBackslash(in text: Span<UInt8>, at start: Int) -> Int {
        var end = start
        while end < min(text.count, start + 8), text[end] == UInt8(ascii: "\\") { end += 1 }
        let isMark = end < text.count && text[end] == UInt8(ascii: "\"") && (end - start).isMultiple(of: 2)
        return isMark ? start : max(start, end - 1)
    }

    private static let controls = Dictionary(uniqueKeysWithValues: zip("bfnrt".utf8, "\u{8}\u{C}\n\r\t".utf8))

    private static func escape(in text: Span<UInt8>, at offset: Int) -> (bytes: [UInt8], end: Int)? {
        switch text[offset] {
        case UInt8(ascii: "%"): return text.hexPair(at: offset + 1).map { ([$0], offset + 3) }
        case UInt8(ascii: "&"): return Entities.read(text, at: offset).map { (utf8($0.scalar), $0.end) }
        case UInt8(ascii: "\\") where offset + 1 < text.count:
            guard text[offset + 1] == UInt8(ascii: "u"), let high = text.hexPair(at: offset + 2),
                let low = text.hexPair(at: offset + 4)
            else { return ([controls[text[offset + 1]] ?? text[offset + 1]], offset + 2) }
            if (high, low) == (0, 0x26), let entity = Entities.read(text, at: offset + 5) {
                return (utf8(entity.scalar), entity.end)
            }
            return (utf8(UInt32(high) << 8 | UInt32(low)), offset + 6)
        default: return nil
        }
    }

    /// Returns whether the text has a letter or digit as an escape, such as `\u0061` or `&#97;`.
    private static func escapesLetters(_ text: Span<UInt8>) -> Bool {
        func isWord(_ byte: UInt8?) -> Bool { byte.map { $0.isLetter || $0.isDigit } ?? false }
        let unicode = text.index(of: UInt8(ascii: "\\")) { offset in
            text.holds(unicodeLead.span, at: offset) && isWord(text.hexPair(at: offset + unicodeLead.count))
        }
        // Searches for `#`, because the `&` before it may itself be an escape.
        let entity = text.index(of: UInt8(ascii: "#"), from: 1) { offset in
            isWord(Entities.read(text, at: offset - 1).flatMap { UInt8(exactly: $0.scalar) })
        }
        return unicode != nil || entity != nil
    }

    private static let unicodeLead = Array("\\u00".utf8)

    private static func utf8(_ scalar: UInt32) -> [UInt8] { Array(String(Unicode.Scalar(scalar) ?? "\0").utf8) }
}
