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
