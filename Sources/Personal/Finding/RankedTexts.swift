import Hangul

/// What matches some words, the best match first; of equal ones the latest, and of those the one that was added first.
struct RankedTexts<Value> {
    private struct Found {
        let value: Value
        let instant: Int64
        let match: TypedMatch
        let isInTitle: Bool

        /// A title says more than what stands below it.
        func isBetter(than other: Found) -> Bool {
            isInTitle != other.isInTitle ? isInTitle : match < other.match
        }
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
    mutating func add(_ value: Value, at instant: Int64 = 0, title: String, others: @autoclosure () -> [String]) {
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

    var sorted: [Value] { positions.map(\.value) }

    /// The same with positions, equal for matches that are equal.
    var positions: [(value: Value, position: Int)] {
        let sorted = found.enumerated().sorted { left, right in
            if left.element.isBetter(than: right.element) { return true }
            if right.element.isBetter(than: left.element) { return false }
            return (-left.element.instant, left.offset) < (-right.element.instant, right.offset)
        }.map(\.element)
        var position = 0
        return sorted.indices.map { index in
            if index > 0, sorted[index - 1].isBetter(than: sorted[index]) { position += 1 }
            return (sorted[index].value, position)
        }
    }
}
