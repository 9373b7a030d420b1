import Hangul

/// What matches some words, the best match first; of equal ones the one that was added first.
struct RankedTexts<Value> {
    private struct Found {
        let value: Value
        let match: TypedMatch
        let isInTitle: Bool

        /// A title says more than what stands below it.
        func isBetter(than other: Found) -> Bool {
            isInTitle != other.isInTitle ? isInTitle : match < other.match
        }
    }

    private let words: TypedWords
    private var found: [Found] = []

    init(_ words: TypedWords) {
        self.words = words
    }

    /// Looks at the texts of a value, the title first.
    mutating func add(_ value: Value, _ texts: [String]) {
        let texts = texts.map { FoldedText($0) }
        guard let match = words.match(in: texts) else { return }
        let inTitle = words.match(in: Array(texts.prefix(1)))
        found.append(Found(value: value, match: inTitle ?? match, isInTitle: inTitle != nil))
    }

    var sorted: [Value] { positions.map(\.value) }

    /// The same with positions, equal for matches that are equal.
    var positions: [(value: Value, position: Int)] {
        let sorted = found.enumerated().sorted { left, right in
            if left.element.isBetter(than: right.element) { return true }
            return !right.element.isBetter(than: left.element) && left.offset < right.offset
        }.map(\.element)
        var position = 0
        return sorted.indices.map { index in
            if index > 0, sorted[index - 1].isBetter(than: sorted[index]) { position += 1 }
            return (sorted[index].value, position)
        }
    }
}
