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
        /// The only kind that is wanted; nil for all.
        package let kind: Suggestion.Kind?

        package init(
            _ typed: String,
            limit: Int,
            since: Int64 = .min,
            foundOnly: Bool = false,
            kind: Suggestion.Kind? = nil
        ) {
            self.typed = typed
            self.limit = limit
            self.since = since
            self.foundOnly = foundOnly
            self.kind = kind
        }
    }

    private struct Found {
        let entry: Int
        let score: Double
        let match: TypedMatch
    }

    /// Words that may match.
    private struct Words {
        let all: ArraySlice<WordList.Word>
        /// Whether consonants stand for syllables, unless a text has single letters.
        var hasInitials = false
    }

    /// The entries that match, the best first.
    ///
    /// What was typed counts as it is, then in the other layout, and only when there is neither with a slip. Without
    /// any letters the entries that are worth most are found.
    ///
    /// - Complexity: O(log n), and O(m) in the entries that begin as what was typed.
    package func suggestions(_ query: Query) -> [Suggestion] {
        guard let pattern = TypedPattern(query.typed) else {
            return NormalForm.line(query.typed).isEmpty ? best(query).map(suggestion) : []
        }
        let direct = pattern.readings.filter { !$0.isOtherLayout }
        var found = best(direct.flatMap(words), query, without: []) { text in
            pattern.match(in: text, atWords: true).flatMap { $0.form < .layout ? $0 : nil }
        }
        let other = pattern.readings.filter(\.isOtherLayout)
        if found.count < query.limit, !other.isEmpty {
            found += best(other.flatMap(words), query, without: found) { pattern.match(in: $0, atWords: true) }
        }
        if found.isEmpty, pattern.allowsTypo {
            found = best(slipped(pattern), query, without: [], pattern.slips)
        }
        return found.map { suggestion($0.entry) }
    }

    /// The words that may match a reading, of the list that has fewer of them.
    private func words(of reading: TypedReading) -> [Words] {
        func count(_ words: [ArraySlice<WordList.Word>]) -> Int { words.reduce(0) { $0 + $1.count } }
        var words = keys.words(in: LetterHead(reading.firstKeys).range)
        if reading.hasInitials, reading.letters.first.map(Jamo.isHangul) == true {
            let others = initials.words(in: LetterHead(reading.initials).range)
            if count(others) < count(words) { words = others }
        }
        return words.map { Words(all: $0, hasInitials: reading.hasInitials) }
    }

    private func isWanted(_ entry: Entry, _ query: Query) -> Bool {
        (entry.at >= query.since || entry.kind == .saved) && (entry.hasFound || !query.foundOnly)
            && (query.kind.map { $0 == entry.kind } ?? true)
    }

    /// The entries that are worth most, whatever their texts.
    private func best(_ query: Query) -> [Int] {
        var candidates = BestCandidates(room: query.limit)
        for number in entries.indices where candidates.mayTake(standings[number]) {
            if isWanted(entries[number], query) { candidates.add(number, bound: standings[number]) }
        }
        return candidates.all.map(\.entry)
    }

    /// The best of the entries that may match, as far as they do.
    ///
    /// They are looked at in the order of what they may be worth, until none of the rest can be worth more.
    private func best(
        _ words: [Words],
        _ query: Query,
        without known: [Found],
        _ match: (FoldedText) -> TypedMatch?
    ) -> [Found] {
        let limit = query.limit - known.count
        let known = Set(known.map(\.entry))
        var room = max(16, 2 * limit)
        while true {
            let candidates = candidates(words, query, room: room)
            var found: [Found] = []
            for candidate in candidates.all where !known.contains(candidate.entry) {
                guard let match = match(FoldedText(text(of: candidate.entry))) else { continue }
                let score = standings[candidate.entry] - SuggestionScore.loss(match)
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

    private func candidates(_ lists: [Words], _ query: Query, room: Int) -> BestCandidates {
        var candidates = BestCandidates(room: room)
        for words in lists {
            for word in words.all {
                let initials = words.hasInitials && !word.hasJamo ? SuggestionScore.initialsLoss : 0
                let loss = initials + SuggestionScore.leastLoss(isFirstWord: word.isFirst)
                let bound = standings[word.entry] - loss
                guard candidates.mayTake(bound), isWanted(entries[word.entry], query) else { continue }
                candidates.add(word.entry, bound: bound)
            }
        }
        return candidates
    }

    /// Words that begin as what was typed but for one slip.
    private func slipped(_ pattern: TypedPattern) -> [Words] {
        let typed = pattern.keys.prefix(LetterHead.lettersMax + 1).map(LetterHead.code)
        let length = min(typed.count, LetterHead.lettersMax)
        var found: [Words] = []
        for list in keys.all {
            var alike = list
            func add(_ codes: [UInt64]) {
                let words = WordList.words(alike, in: LetterHead(codes: codes).range)
                if !words.isEmpty { found.append(Words(all: words)) }
            }
            for index in 0..<length {
                let before = Array(typed[..<index])
                alike = WordList.words(alike, in: LetterHead(codes: before).range)
                if alike.isEmpty { break }
                let rest = typed[(index + 1)...]
                add(before + rest)
                if let next = rest.first { add(before + [next, typed[index]] + rest.dropFirst()) }
                WordList.forEachCode(after: LetterHead(codes: before), in: alike) { code in
                    add(before + [code] + rest)
                    add(before + [code] + typed[index...])
                }
            }
            // The slip may stand behind what a head has.
            add(Array(typed[..<length]))
        }
        return found
    }
}
