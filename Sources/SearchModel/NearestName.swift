import JSON

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
