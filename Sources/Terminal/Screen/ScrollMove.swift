/// Rows that stand higher or lower in the next screen; pure.
struct ScrollMove: Equatable {
    /// A move that spares fewer rows is not worth its sequences.
    private static let gainMin = 3
    /// The farthest that is looked for: a page of a list is painted anew.
    private static let distanceMax = 12

    let rows: Range<Int>
    /// How far up; down when it is negative.
    let count: Int

    /// The move that spares the most; nil when none does.
    ///
    /// - Complexity: O(rows · distance) comparisons of hashes.
    init?(from base: Screen, to next: Screen) {
        let (before, after) = (Self.hashes(base), Self.hashes(next))
        let blank = Self.hashes(Screen(columns: base.columns, rows: 1))[0]
        var best: (gain: Int, rows: Range<Int>, count: Int)?
        for distance in 1...Self.distanceMax where distance < base.rows {
            for count in [distance, -distance] {
                let sources = (0..<base.rows).map { row in
                    (0..<base.rows).contains(row + count) && after[row] == before[row + count] && after[row] != blank
                }
                guard let first = sources.firstIndex(of: true), let last = sources.lastIndex(of: true) else { continue }
                let rows = min(first, first + count)..<max(last, last + count) + 1
                let gain = rows.reduce(0) { gain, row in
                    gain + (sources[row] ? 1 : 0) - (before[row] == after[row] && after[row] != blank ? 1 : 0)
                }
                if gain > best?.gain ?? 0 { best = (gain, rows, count) }
            }
        }
        guard let best, best.gain >= Self.gainMin else { return nil }
        (rows, count) = (best.rows, best.count)
    }

    private static func hashes(_ screen: Screen) -> [Int] {
        (0..<screen.rows).map { row in
            var hasher = Hasher()
            for cell in screen.row(row) {
                hasher.combine(cell.text)
                hasher.combine(cell.look)
            }
            return hasher.finalize()
        }
    }
}
