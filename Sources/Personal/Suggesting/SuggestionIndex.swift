import Hangul
import JSON

/// All suggestions for one user, found by what the user has typed so far.
///
/// Pure. A search looks at the beginnings of all words, which are a few machine words each, and reads the texts of the
/// best candidates only.
///
/// Invariant: each text is one entry, and `numbers` has its number.
package struct SuggestionIndex: Sendable {
    package static let entriesMax = 1 << 16
    /// Longer texts are no titles to choose from.
    package static let textBytesMax = 512
    /// Words of a text that it is found by.
    static let wordsMax = 16
    /// Candidates whose texts are read.
    private static let readMax = 2048

    private struct Entry: Sendable {
        let text: String
        var kind: Suggestion.Kind
        var count = 0
        var at: Int64 = 0
        /// Whether a search for it is known to have found something.
        var hasFound = false
        var value = 0.0

        var suggestion: Suggestion { Suggestion(text, kind, count: count, at: at) }
    }

    /// The beginning of a word of an entry.
    private struct Word: Sendable {
        let keys: UInt64
        /// 0 when it does not begin with Hangul.
        let initials: UInt64
        let entry: UInt32
        let isFirst: Bool
        /// Whether the text has single letters of Hangul.
        let hasJamo: Bool
    }

    /// The beginning of one reading of what was typed.
    private struct Reading {
        let keys: WordHead
        /// Nil when it does not begin with Hangul.
        let initials: WordHead?
        let hasInitials: Bool

        init(_ reading: TypedReading) {
            keys = WordHead(reading.firstKeys)
            hasInitials = reading.hasInitials
            let isHangul = reading.letters.first.map(Jamo.isHangul) == true
            initials = hasInitials && isHangul ? WordHead(reading.initials) : nil
        }

        /// What a match with a word subtracts at least; nil when there is none.
        func loss(_ word: Word) -> Double? {
            guard keys.begins(word.keys), initials?.begins(word.initials) ?? true else { return nil }
            return hasInitials && !word.hasJamo ? SuggestionScore.initialsLoss : 0
        }
    }

    private var entries: [Entry] = []
    private var words: [Word] = []
    private var numbers: [ExactText: Int] = [:]
    private var textBytes = 0

    package init() {}

    package var count: Int { entries.count }
    /// Whether no more texts are taken.
    package var isFull: Bool { entries.count >= Self.entriesMax }

    /// About how much memory it uses.
    package var bytes: Int {
        entries.capacity * MemoryLayout<Entry>.stride + words.capacity * MemoryLayout<Word>.stride
            + numbers.capacity * 32 + textBytes + entries.count * 32
    }

    // MARK: Changing

    /// A change of an index; texts are on one line, in normal form C.
    package enum Change: Sendable {
        /// A query was searched, at a time in milliseconds since 1970.
        case searched(String, at: Int64)
        /// A search for a query has found something; of use for a query that is there.
        case found(String)
        /// A text with all that is known of it; the greatest kind of a text counts.
        case title(Suggestion)
    }

    /// Applies a change; a text that is too long, or one too many, is ignored.
    package mutating func take(_ change: Change) {
        switch change {
        case .searched(let query, let at):
            let known = numbers[ExactText(query)].map { entries[$0] }
            let count = known?.kind == .history ? known?.count ?? 0 : 0
            add(Suggestion(query, .history, count: count + 1, at: at))
        case .found(let query):
            if let number = numbers[ExactText(query)] { update(number) { $0.hasFound = true } }
        case .title(let suggestion): add(suggestion)
        }
    }

    private mutating func add(_ suggestion: Suggestion) {
        guard let number = numbers[ExactText(suggestion.text)] ?? append(suggestion) else { return }
        guard suggestion.kind >= entries[number].kind else { return }
        update(number) { entry in
            (entry.kind, entry.count, entry.at) = (suggestion.kind, suggestion.count, suggestion.at)
            if suggestion.kind < .history { entry.hasFound = true }
        }
    }

    private mutating func update(_ number: Int, _ change: (inout Entry) -> Void) {
        change(&entries[number])
        let entry = entries[number]
        entries[number].value = SuggestionScore.value(
            entry.kind,
            count: entry.count,
            at: entry.at,
            hasFound: entry.hasFound
        )
    }

    private mutating func append(_ suggestion: Suggestion) -> Int? {
        let text = suggestion.text
        guard !isFull, (1...Self.textBytesMax).contains(text.utf8.count) else { return nil }
        let number = entries.count
        numbers[ExactText(text)] = number
        textBytes += text.utf8.count
        entries.append(Entry(text: text, kind: suggestion.kind))
        let folded = FoldedText(text)
        let letters = folded.scalars
        let hasJamo = letters.contains(where: Jamo.isLetter)
        for begin in letters.indices.lazy.filter({ folded.wordBegins[$0] }).prefix(Self.wordsMax) {
            let rest = letters[begin...].prefix(WordHead.lettersMax)
            words.append(
                Word(
                    keys: WordHead(KeyboardLayout.keys(of: rest)).bits,
                    initials: Jamo.isHangul(letters[begin]) ? WordHead(rest.lazy.map(Jamo.initial)).bits : 0,
                    entry: UInt32(number),
                    isFirst: begin == 0,
                    hasJamo: hasJamo
                )
            )
        }
        return number
    }

    /// Marks the queries that are known to have found something.
    package mutating func markFound(where hasFound: (String) -> Bool) {
        for number in entries.indices where entries[number].kind == .history && hasFound(entries[number].text) {
            update(number) { $0.hasFound = true }
        }
    }

    // MARK: Finding

    /// The entries that are wanted.
    package struct Query: Sendable {
        let typed: String
        let limit: Int
        let since: Int64
        let foundOnly: Bool
        let kind: Suggestion.Kind?

        /// - Parameters:
        ///   - typed: What was typed so far.
        ///   - limit: How many.
        ///   - since: Leaves out older entries, in milliseconds since 1970; saved titles are never left out.
        ///   - foundOnly: Whether only texts are wanted that are known to find something.
        ///   - kind: The only kind that is wanted; nil for all.
        package init(
            _ typed: String,
            limit: Int,
            since: Int64 = .min,
            foundOnly: Bool = false,
            kind: Suggestion.Kind? = nil
        ) {
            (self.typed, self.limit, self.since) = (typed, limit, since)
            (self.foundOnly, self.kind) = (foundOnly, kind)
        }
    }

    private struct Found {
        let entry: Int
        let score: Double
        let match: TypedMatch
    }

    /// The entries that match, the best first.
    ///
    /// What was typed counts as it is; then in the other keyboard layout; with one typo only if nothing else matches.
    /// Without any letters the entries with the highest values are found.
    ///
    /// - Complexity: O(n) in the words, some nanoseconds each.
    package func suggestions(_ query: Query) -> [Suggestion] {
        guard let pattern = TypedPattern(query.typed) else {
            guard NormalForm.line(query.typed).isEmpty else { return [] }
            return ranked(entries.map(\.value), query).prefix(query.limit).map { entries[$0].suggestion }
        }
        var found = find(pattern.readings.filter { !$0.isWrongLayout }, query, without: []) { text in
            pattern.match(in: text, atWords: true).flatMap { $0.form < .layout ? $0 : nil }
        }
        if found.count < query.limit {
            found += find(pattern.readings.filter(\.isWrongLayout), query, without: Set(found.map(\.entry))) { text in
                pattern.match(in: text, atWords: true)
            }
        }
        if found.isEmpty, pattern.allowsTypo {
            let typed = WordHead(pattern.keys)
            let bounds = bounds { typed.beginsWithTypo($0.keys) ? 0 : nil }
            found = best(bounds, query, without: [], pattern.matchWithTypo)
        }
        return found.map { entries[$0.entry].suggestion }
    }

    private func find(
        _ readings: [TypedReading],
        _ query: Query,
        without known: Set<Int>,
        _ match: (FoldedText) -> TypedMatch?
    ) -> [Found] {
        guard !readings.isEmpty else { return [] }
        let readings = readings.map(Reading.init)
        let bounds = bounds { word in
            readings.reduce(Double?.none) { least, reading in
                reading.loss(word).map { min($0, least ?? $0) } ?? least
            }
        }
        return best(bounds, query, without: known, match)
    }

    /// What each entry is worth at most, of which some word may match; less than anything for the others.
    private func bounds(_ loss: (Word) -> Double?) -> [Double] {
        var bounds = [Double](repeating: -.infinity, count: entries.count)
        for word in words {
            guard let loss = loss(word) else { continue }
            let number = Int(word.entry)
            let bound = entries[number].value - loss - SuggestionScore.wordLoss(isFirst: word.isFirst)
            bounds[number] = max(bounds[number], bound)
        }
        return bounds
    }

    /// The wanted entries that have a bound, the greatest first.
    private func ranked(_ bounds: [Double], _ query: Query) -> [Int] {
        let wanted = bounds.indices.filter { number in
            guard bounds[number] > -.infinity else { return false }
            let entry = entries[number]
            return (entry.at >= query.since || entry.kind == .saved) && (entry.hasFound || !query.foundOnly)
                && (query.kind ?? entry.kind) == entry.kind
        }
        return wanted.sorted { bounds[$0] > bounds[$1] }
    }

    /// Reads texts until no other entry can be worth more than those found.
    private func best(
        _ bounds: [Double],
        _ query: Query,
        without known: Set<Int>,
        _ match: (FoldedText) -> TypedMatch?
    ) -> [Found] {
        let limit = query.limit - known.count
        var found: [Found] = []
        for number in ranked(bounds, query).prefix(Self.readMax) where !known.contains(number) {
            if found.count == limit, let last = found.last, last.score >= bounds[number] { break }
            guard let match = match(FoldedText(entries[number].text)) else { continue }
            let new = Found(entry: number, score: entries[number].value - SuggestionScore.loss(match), match: match)
            let index = found.firstIndex { ($0.score, new.match) < (new.score, $0.match) } ?? found.count
            found.insert(new, at: index)
            if found.count > limit { found.removeLast() }
        }
        return found
    }
}
