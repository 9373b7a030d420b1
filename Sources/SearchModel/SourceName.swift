import JSON

/// The name of a source, `account.part`, for example `kakao.blog`.
///
/// Invariant: but for `library` and `seen` two or more parts of `a–z`, `0–9`, `-` and `_`, joined by dots; at most
/// `bytesMax` bytes.
package struct SourceName: Comparable, Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 64

    package let text: String
    /// Differs between most names and is hashed instead of the text: every search looks names up dozens of times.
    private let number: UInt64

    /// Fails when the text is not a source name.
    package init?(_ text: String) {
        guard (3...Self.bytesMax).contains(text.utf8.count) else { return nil }
        var dots = 0
        var last = Self.dot
        for byte in text.utf8 {
            // A part has a byte at least.
            guard byte == Self.dot ? last != Self.dot : Self.isNameByte(byte) else { return nil }
            if byte == Self.dot { dots += 1 }
            last = byte
        }
        guard dots >= 1, last != Self.dot else { return nil }
        self.text = text
        number = StableHash.hash(text.utf8.span)
    }

    /// Not from outside: for the names of what users have here, which have one part.
    private init(part: String) {
        text = part
        number = StableHash.hash(part.utf8.span)
    }

    /// What the user who asks has saved.
    package static let library = SourceName(part: "library")
    /// What searches of the user who asks have brought.
    package static let seen = SourceName(part: "seen")
    /// The queue of pictures that are fetched; nothing that can be searched.
    package static let pictures = SourceName(part: "pictures")

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
    }

    package static func == (left: SourceName, right: SourceName) -> Bool {
        left.number == right.number && left.text == right.text
    }

    /// What holds the keys: the part before the first dot.
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

/// Names with `*` for any run of characters.
package enum Glob {
    /// A longer pattern matches nothing: it is compared with every name there is.
    package static let patternBytesMax = 256

    /// Whether the whole text matches.
    ///
    /// - Complexity: O(n × m) at worst, since only the last `*` is ever tried again.
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

/// Finds the name that was probably meant by an unknown word.
package enum NearestName {
    /// Longer words are not compared: the cost is the product of the lengths.
    static let bytesMax = 128

    /// The candidate with the least edits, when they are few enough for a slip; ties go to the first in order.
    ///
    /// - Complexity: O(candidates × length²).
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

    /// What to do about a name that is not known: the nearest one, or else all of them.
    package static func hint(for word: String, among candidates: [String]) -> String {
        if let question = question(for: word, among: candidates) { return question }
        return candidates.isEmpty
            ? "There is none." : "It must be one of \(candidates.sorted().joined(separator: ", "))."
    }

    /// The question whether the nearest name was meant; nil when none is near.
    package static func question(for word: String, among candidates: some Sequence<String>) -> String? {
        of(word, among: candidates).map(question)
    }

    /// The question whether a name was meant, as every part of the program asks it.
    package static func question(_ name: String) -> String { "Did you mean “\(name)”?" }

    /// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
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
