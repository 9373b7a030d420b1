import Hangul

/// Numbers of texts that match some words, the best match first; of equal ones the latest, then the one added first.
struct RankedTexts: Sendable {
    private struct Found {
        let value: Int64
        let instant: Int64
        let match: TypedMatch
        let isInTitle: Bool

        /// The lesser is the better: a title says more than what stands below it.
        var rank: Int64 { Int64((isInTitle ? 0 : 1) << 16 | match.form.rawValue << 8 | match.position.rawValue) }

        func isBetter(than other: Found) -> Bool { rank < other.rank }
    }

    private let words: TypedWords
    /// How many of the best are wanted in order.
    private let needed: Int
    private var found: [Found] = []
    private var titled = 0

    /// - Parameters:
    ///   - words: What the values are ranked by; each value was found in the index by them.
    ///   - needed: How many of the best must be in order; beyond them some work is saved.
    init(_ words: TypedWords, needed: Int = .max) {
        self.words = words
        self.needed = needed
    }

    /// Looks at the texts of a value.
    ///
    /// - Parameters:
    ///   - value: That which is found by them.
    ///   - instant: When it came, unless values are added in that order, the latest first.
    ///   - title: What counts most.
    ///   - others: Its other texts; they are not always asked for.
    mutating func add(_ value: Int64, at instant: Int64 = 0, title: String, others: @autoclosure () -> [String]) {
        let title = FoldedText(title)
        if let match = words.match(in: [title]) {
            found.append(Found(value: value, instant: instant, match: match, isInTitle: true))
            titled += 1
            return
        }
        // Those in titles come first; if there are enough of them, the order of the others is not asked for.
        let isOrderNeeded = words.needsLook || titled < needed
        let match = isOrderNeeded ? words.match(in: [title] + others().map { FoldedText($0) }) : .worst
        if let match { found.append(Found(value: value, instant: instant, match: match, isInTitle: false)) }
    }

    /// Adds a value without a look at its texts: it stands behind all that were looked at and match.
    mutating func addUnseen(_ value: Int64, at instant: Int64) {
        found.append(Found(value: value, instant: instant, match: .worst, isInTitle: false))
    }

    /// All of them, each with its rank, equal for matches that are equal, and with when it came.
    var ranked: [(value: Int64, rank: Int64, instant: Int64)] {
        found.enumerated().sorted { left, right in
            if left.element.isBetter(than: right.element) { return true }
            if right.element.isBetter(than: left.element) { return false }
            return (-left.element.instant, left.offset) < (-right.element.instant, right.offset)
        }.map { ($0.element.value, $0.element.rank, $0.element.instant) }
    }
}
