/// Names with `*` for any run of characters.
package enum Glob {
    /// Whether the whole text matches.
    ///
    /// - Complexity: O(n × m) at worst, since only the last `*` is ever tried again.
    package static func matches(_ text: String, _ pattern: String) -> Bool {
        let text = Array(text.utf8)
        let pattern = Array(pattern.utf8)
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
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
