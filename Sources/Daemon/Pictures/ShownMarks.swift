import Engine

/// The pictures that one user was shown lately, as marks.
///
/// They are kept in two halves, of which the older is forgotten when the newer is full. Pure.
struct ShownMarks {
    /// The latest so many are there in any case, and at most twice as many, which take half a MiB.
    static let halfMax = 24_576

    private var newer: Set<PictureMark> = []
    private var older: Set<PictureMark> = []
    /// Changes when marks are forgotten: what was noted before has to be noted again.
    private(set) var edition: UInt64 = 0

    mutating func insert(_ mark: PictureMark) {
        guard newer.insert(mark).inserted, newer.count >= Self.halfMax else { return }
        (older, newer) = (newer, [])
        edition += 1
    }

    func contains(_ mark: PictureMark) -> Bool { newer.contains(mark) || older.contains(mark) }
}
