import SearchModel

/// Scores the hits of several sources for one query, by rules that know no source's name.
///
/// Pure. What scores depend on beside the hit itself, the words' rarity and how well sources fit, is that of the hits
/// noted before the last `weigh`.
struct Ranking: Sendable {
    /// A title that is the query; what follows are the levels below it, in their order.
    private static let exactTitle = 1.08
    private static let qualifiedTitle = 1.03
    private static let titleBeginning = 0.86
    private static let titlePhrase = 0.76
    private static let wordsInTitle = 0.6
    private static let wordsInTitleAndAuthor = 0.58
    private static let wordsAnywhere = 0.3
    private static let someWords = 0.45
    /// A picture's words say little: it stands between what matches and what does not.
    private static let picture = 0.3
    private static let pictureWords = 0.12
    /// What the words in its title add to a hit that has the others in its snippet.
    private static let wordsInTitleOfAll = 0.3
    private static let phraseInSnippet = 0.12
    /// What a hit whose title has the words gains when its snippet has them too.
    private static let wordsAgain = 0.08
    /// What a title gains by holding little else than the query.
    private static let titleShare = 0.04
    /// What the first rank counts for, and after how many more it is half of that.
    private static let firstRank = 0.35
    private static let rankHalf = 6.0
    private static let fit = 0.12
    /// The hits of a source by which its fit is judged.
    static let fitHitsMax = 10
    private static let weightDoubled = 0.55
    private static let foundAgain = 0.1
    private static let foundAgainMax = 2
    /// What a new hit gains, and a very old one loses, of a kind that lives by its age.
    private static let freshness = 0.22
    private static let foreignLanguage = 0.3
    private static let unlikelyLanguage = 0.1
    /// What each of the last hits of the same source takes from a hit: those of half a page together less than lies
    /// between two levels of text; more of them so much that others whose hits match a level worse get their turn.
    private static let repetition = 0.02
    private static let repetitionsOfHalfPage = 4
    private static let repetitionBeyond = 0.08
    /// By level: of a word in the texts of a hit.
    private static let levels = [0, 0.3, 0.85, 1]

    let terms: QueryTerms
    private let sources: [SourceProfile]
    private let now: Int64
    private let script: QueryScript
    private var rarity: WordRarity
    /// Of each source its first hits.
    private var first: [[HitMatch]]
    private var fits: [Double]

    /// `now` are seconds since 1970, and stay the same along a cursor.
    init(_ query: SearchQuery, _ sources: [SourceProfile], now: Int64) {
        terms = QueryTerms(query)
        self.sources = sources
        self.now = now
        script = QueryScript(query)
        rarity = WordRarity(words: terms.words.count)
        first = Array(repeating: [], count: sources.count)
        fits = Array(repeating: 0, count: sources.count)
    }

    /// Takes note of a hit of a source.
    mutating func note(_ match: HitMatch, of source: Int) {
        rarity.count(match)
        if first[source].count < Self.fitHitsMax { first[source].append(match) }
    }

    /// Takes all hits that have been noted into account.
    mutating func weigh() {
        rarity.weigh()
        for source in sources.indices where !first[source].isEmpty {
            fits[source] = first[source].reduce(0) { $0 + text(of: $1) } / Double(first[source].count)
        }
    }

    /// The score of a hit at a rank of a source.
    func parts(_ match: HitMatch, rank: Int, published: Int64?, source: Int) -> ScoreParts {
        var parts = expected(ofSource: source, rank: rank)
        parts.text = text(of: match)
        parts.freshness = freshness(published, source)
        return parts
    }

    /// What a hit at a rank of a source is expected to score before it is known: as its source's first hits do on
    /// average.
    func expected(ofSource source: Int, rank: Int) -> ScoreParts {
        let profile = sources[source]
        var parts = ScoreParts()
        parts.text = fits[source]
        parts.rank = Self.share(ofRank: rank)
        parts.fit = Self.fit * fits[source]
        parts.weight = Self.weightDoubled * Self.doublings(profile.weight)
        parts.language = -foreignness(of: profile)
        return parts
    }

    /// What is taken from the hits of a source that is not in the query's language.
    private func foreignness(of profile: SourceProfile) -> Double {
        guard !profile.languages.isEmpty else { return 0 }
        let own = script.ownLanguages
        guard own.isEmpty else { return profile.languages.contains(where: own.contains) ? 0 : Self.foreignLanguage }
        return profile.languages.allSatisfy(QueryScript.languagesWithScript.contains) ? Self.unlikelyLanguage : 0
    }

    /// What other sources that have the item at these ranks add.
    static func found(atRanks ranks: some Sequence<Int>) -> Double {
        ranks.sorted().prefix(foundAgainMax).reduce(0) { $0 + foundAgain * share(ofRank: $1) / firstRank }
    }

    /// What a source's hits among the last few take from its next one.
    static func variety(afterRepetitions count: Int) -> Double {
        let beyond = max(0, count - repetitionsOfHalfPage)
        return -repetition * Double(count - beyond) - repetitionBeyond * Double(beyond)
    }

    /// What a rank counts for.
    static func share(ofRank rank: Int) -> Double {
        firstRank / (1 + Double(rank - 1) / rankHalf)
    }

    /// How often 1 is to be doubled to give a weight, straight between the powers of two.
    private static func doublings(_ weight: Double) -> Double {
        weight > 0 ? Double(weight.exponent) + weight.significand - 1 : 0
    }

    private func freshness(_ published: Int64?, _ source: Int) -> Double {
        guard let halfLife = sources[source].halfLife, let published else { return 0 }
        let age = Double(max(0, now - min(now, published)))
        // One now, a half at the half-life, and towards zero.
        let freshness = 1 / (1 + age / Double(max(1, halfLife.components.seconds)))
        return Self.freshness * (2 * freshness - 1)
    }

    // MARK: Text

    /// From 0 for a hit without a word of the query, through the levels, to that of an exact title.
    func text(of match: HitMatch) -> Double {
        guard match.hasText else {
            return Self.picture + Self.pictureWords * covered { Self.levels[Int(match.title[$0].rawValue)] }
        }
        let inSnippet = covered { Self.levels[Int(match.snippet[$0].rawValue)] }
        let more = Self.titleShare * Double(match.titleShare) / 255 + Self.wordsAgain * inSnippet
        switch match.titleForm {
        case .exact: return Self.exactTitle + more
        case .qualified: return Self.qualifiedTitle + more
        case .beginning: return Self.titleBeginning + more
        case .phrase: return Self.titlePhrase + more
        case .none: break
        }
        if all({ match.title[$0] }) { return Self.wordsInTitle + more }
        if all({ max(match.title[$0], match.author[$0]) }) { return Self.wordsInTitleAndAuthor + more }
        let inTitle = covered { Self.levels[Int(max(match.title[$0], match.author[$0]).rawValue)] }
        if all({ max(match.title[$0], match.author[$0], match.snippet[$0]) }) {
            let phrase = match.isPhraseInSnippet ? Self.phraseInSnippet : 0
            return Self.wordsAnywhere + Self.wordsInTitleOfAll * inTitle + phrase
        }
        return Self.someWords * (0.7 * inTitle + 0.3 * inSnippet)
    }

    private func all(_ level: (Int) -> Term.Level) -> Bool {
        !terms.words.isEmpty && terms.words.indices.allSatisfy { level($0) >= .fair }
    }

    private func covered(_ level: (Int) -> Double) -> Double {
        terms.words.indices.reduce(0) { $0 + rarity.weights[$1] * level($1) }
    }
}
