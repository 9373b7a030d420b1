import JSON

/// The name of a source: `account.part`, for example `kakao.blog`.
///
/// Invariant: the name has two or more parts of `a–z`, `0–9`, `-` and `_`, joined by dots. Only the predefined names
/// below have one part.
package struct SourceName: Comparable, Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 64

    package let text: String
    /// A precomputed hash of the text, because every search looks up names dozens of times.
    private let number: UInt64

    package init?(_ text: String) {
        guard (3...Self.bytesMax).contains(text.utf8.count) else { return nil }
        var dots = 0
        var last = Self.dot
        for byte in text.utf8 {
            // A part must have at least one byte.
            guard byte == Self.dot ? last != Self.dot : Self.isNameByte(byte) else { return nil }
            if byte == Self.dot { dots += 1 }
            last = byte
        }
        guard dots >= 1 || text.hasSameBytes(as: Self.web.text), last != Self.dot else { return nil }
        self.text = text
        number = StableHash.hash(text.utf8.span)
    }

    private init(part: String) {
        text = part
        number = StableHash.hash(part.utf8.span)
    }

    package static let library = SourceName(part: "library")
    /// The hits of earlier searches by the current user.
    package static let seen = SourceName(part: "seen")
    /// The source of saved pages of any site; it cannot be searched.
    package static let web = SourceName(part: "web")
    /// The call queue for pictures; it is not a source.
    package static let pictures = SourceName(part: "pictures")
    /// The call queue for web pages; it is not a source.
    package static let webPages = SourceName(part: "pages")

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
    }

    package static func == (left: SourceName, right: SourceName) -> Bool {
        left.number == right.number && left.text == right.text
    }

    /// The part before the first dot: the name of the account with the keys.
    package var account: String {
        String(text[..<(text.utf8.firstIndex(of: Self.dot) ?? text.endIndex)])
    }

    package var description: String { text }

    package static func < (left: SourceName, right: SourceName) -> Bool {
        left.text < right.text
    }

    private static let dot = UInt8(ascii: ".")

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isSmallLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

package enum Glob {
    /// The maximum length of a pattern; a longer pattern matches nothing.
    package static let patternBytesMax = 256

    /// Returns whether the whole text matches a pattern, in which `*` means any number of characters.
    ///
    /// At worst, it takes O(n × m), because only the last `*` is retried.
    package static func matches(_ text: String, _ pattern: String) -> Bool {
        guard pattern.utf8.count <= patternBytesMax else { return false }
        let text = text.utf8.span
        let pattern = pattern.utf8.span
        var (offset, next) = (0, 0)
        var star: (next: Int, offset: Int)?
        while offset < text.count {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                star = (next, offset)
                next += 1
            } else if next < pattern.count, pattern[next] == text[offset] {
                offset += 1
                next += 1
            } else if let last = star {
                star = (last.next, last.offset + 1)
                offset = last.offset + 1
                next = last.next + 1
            } else {
                return false
            }
        }
        while next < pattern.count, pattern[next] == UInt8(ascii: "*") { next += 1 }
        return next == pattern.count
    }
}

package enum NearestName {
    /// The maximum length of a compared word, because the cost is quadratic.
    static let bytesMax = 128

    /// Returns the most similar candidate, or nil if even that one differs too much for a typo.
    ///
    /// If several candidates are equally similar, it returns the first. It takes O(candidates × length²).
    package static func of(_ word: String, among candidates: some Sequence<String>) -> String? {
        guard (1...bytesMax).contains(word.utf8.count) else { return nil }
        let allowed = max(1, word.utf8.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in candidates where candidate.utf8.count <= bytesMax {
            let distance = distance(Array(word.utf8), Array(candidate.utf8))
            if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Returns a hint for an unknown name: the most similar known name, or all known names if none is similar.
    package static func hint(for word: String, among candidates: [String]) -> String {
        if let question = question(for: word, among: candidates) { return question }
        return candidates.isEmpty
            ? "None are defined." : "It must be one of \(candidates.sorted().joined(separator: ", "))."
    }

    package static func question(for word: String, among candidates: some Sequence<String>) -> String? {
        of(word, among: candidates).map(question)
    }

    package static func question(_ name: String) -> String { "Did you mean “\(name)”?" }

    /// Returns the edit distance: the number of insertions, deletions, replacements and swaps of neighbours.
    static func distance(_ from: [UInt8], _ to: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...to.count)
        for (row, byte) in from.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(to.count + 1)
            for (column, other) in to.enumerated() {
                var least = min(last[column + 1] + 1, current[column] + 1)
                least = min(least, last[column] + (byte.lowered == other.lowered ? 0 : 1))
                if row > 0, column > 0, byte == to[column - 1], from[row - 1] == other {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            beforeLast = last
            last = current
        }
        return last[to.count]
    }
}
