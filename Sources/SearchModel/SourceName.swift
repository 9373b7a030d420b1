import JSON

/// The name of a source, such as `kakao.blog`; only the predefined names below have no dot.
package struct SourceName: Comparable, Hashable, Sendable, CustomStringConvertible {
    package static let bytesMax = 64

    package let text: String
    private let number: UInt64

    package init?(_ text: String) {
        guard (3...Self.bytesMax).contains(text.utf8.count) else { return nil }
        var dots = 0
        var last = Self.dot
        for byte in text.utf8 {
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
    /// The hits of the user's earlier searches.
    package static let seen = SourceName(part: "seen")
    /// Saved pages of any site; this source cannot be searched.
    package static let web = SourceName(part: "web")
    /// The name of a queue of calls, not of a source.
    package static let pictures = SourceName(part: "pictures")
    /// The name of a queue of calls, not of a source.
    package static let webPages = SourceName(part: "pages")

    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
    }

    package static func == (left: SourceName, right: SourceName) -> Bool {
        left.number == right.number && left.text == right.text
    }

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
    package static let patternBytesMax = 256

    /// Compares the whole text in O(n × m); `*` matches any number of characters.
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
    static let bytesMax = 128

    /// Returns the first of the most similar candidates, or nil if no candidate is similar.
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

    package static func hint(for word: String, among candidates: [String]) -> String {
        if let question = question(for: word, among: candidates) { return question }
        return candidates.isEmpty
            ? "None are defined." : "It must be one of \(candidates.sorted().joined(separator: ", "))."
    }

    package static func question(for word: String, among candidates: some Sequence<String>) -> String? {
        of(word, among: candidates).map(question)
    }

    package static func question(_ name: String) -> String { "Did you mean “\(name)”?" }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbours.
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
