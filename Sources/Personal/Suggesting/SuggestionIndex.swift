import Hangul
import JSON

/// All suggestions for one user, each with a different text.
package struct SuggestionIndex: Sendable {
    package static let entriesMax = 1 << 16
    package static let textBytesMax = 512
    static let wordsMax = 16
    private static let readMax = 2048

    private struct Entry: Sendable {
        let suggestion: Suggestion
        let hasFound: Bool
        let value: Double
        let isAddress: Bool
        var isHidden = false

        init(_ suggestion: Suggestion, hasFound: Bool) {
            self.suggestion = suggestion
            self.hasFound = hasFound || suggestion.kind < .history
            value = SuggestionScore.value(suggestion, hasFound: self.hasFound)
            isAddress = SuggestionIndex.isAddress(suggestion.text)
        }
    }

    private struct Word: Sendable {
        let keys: UInt64
        /// 0 if the word does not begin with Hangul.
        let initials: UInt64
        let entry: UInt32
        let isFirst: Bool
        let hasJamo: Bool
    }

    private struct Reading {
        let keys: WordHead
        let initials: WordHead?
        private let hasInitials: Bool
        private let isWrongLayout: Bool

        init(_ reading: TypedReading) {
            keys = WordHead(reading.firstKeys)
            (hasInitials, isWrongLayout) = (reading.hasInitials, reading.isWrongLayout)
            let isHangul = reading.letters.first.map(Jamo.isHangul) == true
            initials = hasInitials && isHangul ? WordHead(reading.initials) : nil
        }

        func loss(_ word: Word) -> Double? {
            guard keys.begins(word.keys), initials?.begins(word.initials) ?? true else { return nil }
            if isWrongLayout { return SuggestionScore.layoutLoss }
            return hasInitials && !word.hasJamo ? SuggestionScore.initialsLoss : 0
        }
    }

    private var entries: [Entry] = []
    /// For each entry, the number of saved items with this title; after updates, the number may be too high.
    private var itemCounts: [Int] = []
    private var words: [Word] = []
    private var numbers: [ExactText: Int] = [:]

    package init() {}

    package var count: Int { entries.count }
    package var isFull: Bool { entries.count >= Self.entriesMax }

    package enum Change: Sendable {
        /// `at` is in milliseconds since 1970.
        case searched(String, at: Int64)
        /// The query had hits; ignored if the query is unknown.
        case found(String)
        /// Adds or replaces a suggestion; ignored if the index has the same text with a higher kind.
        case title(Suggestion, isNewItem: Bool = false)
        /// Hides the title of a removed item, unless other items have it, too.
        case removed(title: String)
    }

    package mutating func apply(_ change: Change) {
        switch change {
        case .searched(let query, let at):
            let known = numbers[ExactText(query)].map { entries[$0].suggestion }
            let count = known?.kind == .history ? known?.count ?? 0 : 0
            add(Suggestion(query, .history, count: count + 1, at: at))
        case .found(let query):
            guard let number = numbers[ExactText(query)] else { return }
            entries[number] = Entry(entries[number].suggestion, hasFound: true)
        case .title(let suggestion, let isNewItem):
            add(suggestion)
            if isNewItem, let number = numbers[ExactText(suggestion.text)] { itemCounts[number] += 1 }
        case .removed(let title):
            let text = Suggestion(title: title, .saved, at: 0).text
            guard let number = numbers[ExactText(text)], entries[number].suggestion.kind == .saved else { return }
            itemCounts[number] -= 1
            if itemCounts[number] <= 0 { (entries[number].isHidden, itemCounts[number]) = (true, 0) }
        }
    }

    private mutating func add(_ suggestion: Suggestion) {
        guard let number = numbers[ExactText(suggestion.text)] else { return append(suggestion) }
        let known = entries[number]
        guard suggestion.kind >= known.suggestion.kind || known.isHidden else { return }
        entries[number] = Entry(suggestion, hasFound: known.hasFound)
    }

    private mutating func append(_ suggestion: Suggestion) {
        let text = suggestion.text
        guard !isFull, (1...Self.textBytesMax).contains(text.utf8.count) else { return }
        numbers[ExactText(text)] = entries.count
        let folded = FoldedText(text)
        let letters = folded.scalars
        let hasJamo = letters.contains(where: Jamo.isLetter)
        for begin in letters.indices.lazy.filter({ folded.wordBegins[$0] }).prefix(Self.wordsMax) {
            let rest = letters[begin...].prefix(WordHead.lettersMax)
            words.append(
                Word(
                    keys: WordHead(KeyboardLayout.keys(of: rest)).bits,
                    initials: Jamo.isHangul(letters[begin]) ? WordHead(rest.lazy.map(Jamo.initial)).bits : 0,
                    entry: UInt32(entries.count),
                    isFirst: begin == 0,
                    hasJamo: hasJamo
                )
            )
        }
        entries.append(Entry(suggestion, hasFound: false))
        itemCounts.append(0)
    }

    // MARK: Finding

    /// Returns the entries that match, the best first; takes a few nanoseconds for each word of the index.
    ///
    /// Matches in the other keyboard layout come last. Matches with a typo are returned only if nothing else matches.
    /// An empty text matches all entries. Web addresses are returned only if a web address is typed. `since` is in
    /// milliseconds since 1970 and does not apply to saved titles. With `foundOnly`, only texts that are known to find
    /// something are returned.
    package func suggestions(
        _ typed: String,
        limit: Int,
        since: Int64 = .min,
        foundOnly: Bool = false,
        kind: Suggestion.Kind? = nil
    ) -> [Suggestion] {
        let isAddress = Self.isAddress(typed)
        let isWanted = entries.map { entry in
            let known = entry.suggestion
            return (known.at >= since || known.kind == .saved) && (entry.hasFound || !foundOnly) && !entry.isHidden
                && (kind ?? known.kind) == known.kind && (isAddress || !entry.isAddress)
        }
        guard let pattern = TypedPattern(typed) else {
            guard NormalForm.line(typed).isEmpty else { return [] }
            let values = zip(entries, isWanted).map { $1 ? $0.value : -.infinity }
            return Self.ranked(values).prefix(limit).map { entries[$0].suggestion }
        }
        let readings = pattern.readings.map(Reading.init)
        let scores = bounds(isWanted) { word in
            readings.reduce(Double?.none) { least, reading in
                reading.loss(word).map { min($0, least ?? $0) } ?? least
            }
        }
        var found = best(scores, limit) { pattern.match(in: $0, atWords: true) }
        if found.isEmpty, pattern.allowsTypo {
            let typed = WordHead(pattern.keys)
            let scores = bounds(isWanted) { typed.beginsWithTypo($0.keys) ? 0 : nil }
            found = best(scores, limit, pattern.matchWithTypo)
        }
        return found.map { entries[$0].suggestion }
    }

    /// The highest possible score of each entry, or minus infinity without a match.
    private func bounds(_ isWanted: [Bool], _ loss: (Word) -> Double?) -> [Double] {
        var bounds = [Double](repeating: -.infinity, count: entries.count)
        for word in words {
            let number = Int(word.entry)
            guard isWanted[number], let loss = loss(word) else { continue }
            let bound = entries[number].value - loss - SuggestionScore.wordLoss(isFirst: word.isFirst)
            bounds[number] = max(bounds[number], bound)
        }
        return bounds
    }

    private static func isAddress(_ text: String) -> Bool {
        ["http://", "https://"].contains { text.utf8.starts(with: $0.utf8) }
    }

    private static func ranked(_ bounds: [Double]) -> [Int] {
        bounds.indices.filter { bounds[$0] > -.infinity }.sorted { bounds[$0] > bounds[$1] }
    }

    private func best(_ bounds: [Double], _ limit: Int, _ match: (FoldedText) -> TypedMatch?) -> [Int] {
        var found: [(entry: Int, score: Double)] = []
        for number in Self.ranked(bounds).prefix(Self.readMax) {
            if found.count == limit, let last = found.last, last.score >= bounds[number] { break }
            guard let match = match(FoldedText(entries[number].suggestion.text)) else { continue }
            let score = entries[number].value - SuggestionScore.loss(match)
            found.insert((number, score), at: found.firstIndex { $0.score < score } ?? found.count)
            if found.count > limit { found.removeLast() }
        }
        return found.map(\.entry)
    }
}

/// The first eight letters, one byte each, from the highest byte; different letters can have the same byte.
struct WordHead: Sendable {
    static let lettersMax = 8

    let bits: UInt64
    private let count: Int

    init(_ letters: some Sequence<Unicode.Scalar>) {
        let codes = letters.prefix(Self.lettersMax).map(Self.code)
        count = codes.count
        bits = codes.reduce(0) { $0 << 8 | $1 } << UInt64(8 * (Self.lettersMax - codes.count))
    }

    private static func code(_ letter: Unicode.Scalar) -> UInt64 {
        let value = UInt64(letter.value)
        return switch value {
        case 0x21...0x7E: value
        case 0x3131...0x3163: value - 0x3131 + 0x80
        default: 0xC0 + value % 0x40
        }
    }

    private var mask: UInt64 { ~(UInt64.max >> UInt64(8 * count)) }

    func begins(_ word: UInt64) -> Bool { (bits ^ word) & mask == 0 }

    /// The typo is a missing, extra, wrong or swapped letter.
    func beginsWithTypo(_ word: UInt64) -> Bool {
        let same = (bits ^ word).leadingZeroBitCount / 8
        guard same < count else { return true }
        let shift = UInt64(8 * same)
        let (typed, letters, mask) = (bits << shift, word << shift, self.mask << shift)
        // If a letter is missing in `typed`, the last letter of the prefix cannot be compared.
        let known = UInt64.max << (shift + 8)
        let isWrong = ((typed ^ letters) & mask) << 8 == 0
        let isTooMany = ((typed << 8) ^ letters) & (mask << 8) == 0
        let isMissing = (typed ^ (letters << 8)) & mask & known == 0
        let swapped = (typed << 8 & 0xFF << 56) | (typed >> 8 & 0xFF << 48) | (typed & UInt64.max >> 16)
        return isWrong || isTooMany || isMissing || (count - same > 1 && (swapped ^ letters) & mask == 0)
    }
}
