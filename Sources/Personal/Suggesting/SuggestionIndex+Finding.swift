import Hangul

/// Finding what someone may be about to type.
extension SuggestionIndex {
    /// Of the entries that may match so many are looked at, those that are worth most.
    private static let lookedAtMax = 2048

    /// Which entries are wanted.
    package struct Query: Sendable {
        /// What was typed so far.
        package let typed: String
        package let limit: Int
        /// Entries that are older are left out, in milliseconds since 1970; what is saved never is.
        package let since: Int64
        /// Whether only texts are wanted that are known to find something.
        package let foundOnly: Bool

        package init(_ typed: String, limit: Int, since: Int64 = .min, foundOnly: Bool = false) {
            self.typed = typed
            self.limit = limit
            self.since = since
            self.foundOnly = foundOnly
        }
    }

    private struct Found {
        let entry: Int
        let score: Double
        let match: TypedMatch
    }

    /// Where words of one list may match.
    private struct Range {
        let list: WordList
        let head: ClosedRange<UInt64>
        /// Whether consonants stand for syllables, unless a text has single letters.
        var hasInitials = false
    }

    /// The entries that match, the best first.
    ///
    /// What was typed counts as it is, then in the other layout, and only when there is neither with a slip. Without any
    /// letters the entries that are worth most are found.
    ///
    /// - Complexity: O(log n), and O(m) in the entries that begin as what was typed.
    package func suggestions(_ query: Query) -> [Suggestion] {
        guard let pattern = TypedPattern(query.typed) else {
            return NormalForm.line(query.typed).isEmpty ? best(query).map(suggestion) : []
        }
        func range(_ reading: TypedReading) -> Range { self.range(of: reading) }
        let direct = pattern.readings.filter { !$0.isOtherLayout }
        var found = best(direct.map(range), query, without: []) { text in
            pattern.match(in: text, atWords: true).flatMap { $0.form < .layout ? $0 : nil }
        }
        let other = pattern.readings.filter(\.isOtherLayout)
        if found.count < query.limit, !other.isEmpty {
            found += best(other.map(range), query, without: found) { pattern.match(in: $0, atWords: true) }
        }
        if found.isEmpty, pattern.maySlip {
            found = best(slipRanges(of: pattern), query, without: [], pattern.slips)
        }
        return found.map { suggestion($0.entry) }
    }

    /// The words that may match a reading, of the list that has fewer of them.
    private func range(of reading: TypedReading) -> Range {
        let byKeys = Range(list: keys, head: LetterHead(reading.firstKeys).range, hasInitials: reading.hasInitials)
        guard let first = reading.letters.first, reading.hasInitials, Jamo.isHangul(first) else { return byKeys }
        let byInitials = Range(list: initials, head: LetterHead(reading.initials).range, hasInitials: true)
        func count(_ range: Range) -> Int { range.list.words(in: range.head).reduce(0) { $0 + $1.count } }
        return count(byInitials) < count(byKeys) ? byInitials : byKeys
    }

    private func isWanted(_ entry: Entry, _ query: Query) -> Bool {
        (entry.at >= query.since || entry.kind == .saved) && (entry.hasFound || !query.foundOnly)
    }

    /// The entries that are worth most, whatever their texts.
    private func best(_ query: Query) -> [Int] {
        var candidates = BestCandidates(room: query.limit)
        for (number, entry) in entries.enumerated() where isWanted(entry, query) {
            candidates.add(number, bound: entry.standing)
        }
        return candidates.all.map(\.entry)
    }

    /// The best of the entries that may match, as far as they do.
    ///
    /// They are looked at in the order of what they may be worth, until none of the rest can be worth more.
    private func best(
        _ ranges: [Range],
        _ query: Query,
        without known: [Found],
        _ match: (FoldedText) -> TypedMatch?
    ) -> [Found] {
        let limit = query.limit - known.count
        let known = Set(known.map(\.entry))
        var room = max(32, 2 * limit)
        while true {
            let candidates = candidates(in: ranges, query, room: room)
            var found: [Found] = []
            for candidate in candidates.all where !known.contains(candidate.entry) {
                guard let match = match(FoldedText(text(of: candidate.entry))) else { continue }
                let score = entries[candidate.entry].standing - SuggestionScore.loss(match)
                found.append(Found(entry: candidate.entry, score: score, match: match))
            }
            found.sort { left, right in
                if left.score != right.score { return left.score > right.score }
                return left.match != right.match ? left.match < right.match : left.entry < right.entry
            }
            let isEnough = found.count >= limit && found[limit - 1].score >= candidates.all.last?.bound ?? 0
            if !candidates.isCut || isEnough || room >= Self.lookedAtMax { return Array(found.prefix(limit)) }
            room = min(room * 8, Self.lookedAtMax)
        }
    }

    private func candidates(in ranges: [Range], _ query: Query, room: Int) -> BestCandidates {
        var candidates = BestCandidates(room: room)
        for range in ranges {
            for words in range.list.words(in: range.head) {
                for word in words {
                    let entry = entries[word.entry]
                    guard isWanted(entry, query) else { continue }
                    let initials = range.hasInitials && !word.hasJamo ? SuggestionScore.initialsLoss : 0
                    let loss = initials + SuggestionScore.leastLoss(isFirstWord: word.isFirst)
                    candidates.add(word.entry, bound: entry.standing - loss)
                }
            }
        }
        return candidates
    }

    /// Where words are that begin as what was typed but for one slip.
    private func slipRanges(of pattern: TypedPattern) -> [Range] {
        let typed = pattern.keys.prefix(LetterHead.lettersMax + 1).map(LetterHead.code)
        let length = min(typed.count, LetterHead.lettersMax)
        var heads: [LetterHead] = []
        for index in 0..<length {
            let (before, rest) = (typed[..<index], typed[(index + 1)...])
            heads.append(LetterHead(codes: before + rest))
            if let next = rest.first {
                heads.append(LetterHead(codes: before + [next, typed[index]] + rest.dropFirst()))
            }
            keys.forEachCode(after: LetterHead(codes: before)) { code in
                heads.append(LetterHead(codes: before + [code] + rest))
                heads.append(LetterHead(codes: before + [code] + typed[index...]))
            }
        }
        // The slip may stand behind what a head has.
        heads.append(LetterHead(codes: typed[..<length]))
        return heads.map { Range(list: keys, head: $0.range) }
    }
}
