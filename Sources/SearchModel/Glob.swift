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
        var (at, place) = (0, 0)
        var star: (place: Int, at: Int)?
        while at < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == text[at] {
                at += 1
                place += 1
            } else if let last = star {
                star = (last.place, last.at + 1)
                at = last.at + 1
                place = last.place + 1
            } else {
                return false
            }
        }
        while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
        return place == pattern.count
    }
}
