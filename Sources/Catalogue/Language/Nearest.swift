/// What somebody who misspelt a name probably meant.
package enum Nearest {
    /// The closest candidate, if it is close enough to be meant.
    ///
    /// - Complexity: O(n · m · k) in the lengths of the names and their number; names over 64 bytes are not compared.
    package static func name(to wrong: String, among candidates: [String]) -> String? {
        guard wrong.utf8.count <= 64 else { return nil }
        let ranked = candidates.map { (distance(wrong, $0), $0) }.min { $0.0 < $1.0 }
        guard let (distance, name) = ranked, distance <= max(2, wrong.utf8.count / 3) else { return nil }
        return name
    }

    package static func hint(for wrong: String, among candidates: [String]) -> String {
        if let nearest = name(to: wrong, among: candidates) { return "did you mean \(nearest)?" }
        return "it must be one of \(candidates.sorted().joined(separator: ", "))"
    }

    /// The edits between two names, over bytes.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (i, byte) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in right.indices {
                let substituted = diagonal + (byte == right[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
