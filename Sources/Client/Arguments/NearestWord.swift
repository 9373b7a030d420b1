/// The known word that a mistyped one was most likely meant to be.
package enum NearestWord {
    /// Longer words are not typing errors; comparing them would only cost time.
    package static let charactersMax = 64

    /// The nearest of the candidates; nil when none is near enough for a typing error.
    ///
    /// Of equally near ones the first wins. A candidate that begins with the word counts as near.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let written = Array(word.lowercased())
        guard (1...charactersMax).contains(written.count) else { return nil }
        let errorsMax = max(1, written.count / 3)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(written, Array(candidate.lowercased()))
            if distance <= errorsMax, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        if let best { return best.candidate }
        return written.count < 2 ? nil : candidates.first { $0.lowercased().hasPrefix(word.lowercased()) }
    }

    /// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
    ///
    /// - Complexity: O(*n*·*m*) in the lengths of the words.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(previous[column + 1] + 1, current[column] + 1, replaced)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
