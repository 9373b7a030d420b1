package import Catalogue
import EventLoop
import RPC
package import SearchModel
import Upstream

/// Scores the hits of several sources for one query.
///
/// The tier has the most weight: hits with all words of the query in the title or the author come first, then hits with
/// all words in any text. Call `note` for each hit, then `weigh`, and then `parts`.
struct Ranking: Sendable {
    /// Larger than the sum of all other parts of a score.
    private static let tier = 10.0
    private static let codeSource = 0.8
    private static let codeKinds: Set = ["document", "issue", "question", "repository"]
    private static let exactTitle = 1.08
    private static let qualifiedTitle = 1.03
    private static let titleBeginning = 0.86
    private static let titlePhrase = 0.76
    private static let wordsInTitle = 0.6
    private static let wordsInTitleAndAuthor = 0.58
    private static let wordsAnywhere = 0.3
    private static let someWords = 0.45
    private static let picture = 0.3
    private static let pictureWords = 0.12
    private static let wordsInTitleOfAll = 0.3
    private static let phraseInSnippet = 0.12
    private static let wordsAgain = 0.08
    /// The maximum bonus for a title that consists mostly of the query.
    private static let titleShare = 0.04
    /// The score of the first rank; the score is half as high `rankHalf` ranks later.
    private static let firstRank = 0.35
    private static let rankHalf = 6.0
    private static let fit = 0.12
    static let fitHitsMax = 10
    private static let weightDoubled = 0.55
    private static let foundAgain = 0.1
    private static let foundAgainMax = 2
    /// The bonus of a new hit, and the penalty of a very old hit, if the source has a half-life.
    private static let freshness = 0.22
    private static let foreignLanguage = 0.3
    private static let unlikelyLanguage = 0.1
    // The penalty for each hit of the same source among the last merged hits. The penalty is higher from the fifth on.
    private static let repetition = 0.02
    private static let repetitionsOfHalfPage = 4
    private static let repetitionBeyond = 0.08
    private static let levels = [0, 0.3, 0.85, 1]

    let terms: QueryTerms
    private let sources: [SourceProfile]
    private let now: Int64
    private let traits: QueryTraits
    private var rarity: WordRarity
    private var first: [[HitMatch]]
    private var fits: [Double]
    private var tiers: [Double]

    /// `now` is in seconds since 1970 and must be the same for all pages of a search.
    init(_ query: SearchQuery, _ sources: [SourceProfile], now: Int64) {
        terms = QueryTerms(query)
        self.sources = sources
        self.now = now
        traits = QueryTraits(query)
        rarity = WordRarity(words: terms.words.count)
        first = Array(repeating: [], count: sources.count)
        fits = Array(repeating: 0, count: sources.count)
        tiers = fits
    }

    mutating func note(_ match: HitMatch, of source: Int) {
        rarity.count(match)
        if first[source].count < Self.fitHitsMax { first[source].append(match) }
    }

    mutating func weigh() {
        rarity.weigh()
        for source in sources.indices where !first[source].isEmpty {
            fits[source] = first[source].reduce(0) { $0 + text(of: $1) } / Double(first[source].count)
            tiers[source] = first[source].reduce(0) { $0 + tier(of: $1) } / Double(first[source].count)
        }
    }

    func parts(_ match: HitMatch, rank: Int, published: Int64?, source: Int) -> ScoreParts {
        var parts = expected(ofSource: source, rank: rank)
        parts.tier = tier(of: match)
        parts.text = text(of: match)
        parts.freshness = freshness(published, source)
        return parts
    }

    /// Uses the source's first hits to estimate the score of a hit that has not arrived.
    func expected(ofSource source: Int, rank: Int) -> ScoreParts {
        let profile = sources[source]
        var parts = ScoreParts()
        parts.tier = tiers[source]
        parts.text = fits[source]
        parts.rank = Self.share(ofRank: rank)
        parts.fit = Self.fit * fits[source]
        parts.weight = Self.weightDoubled * Self.logarithm2(profile.weight)
        parts.language = -languagePenalty(of: profile)
        if traits.isCode, Self.codeKinds.contains(profile.kind.text) { parts.topic = Self.codeSource }
        return parts
    }

    private func languagePenalty(of profile: SourceProfile) -> Double {
        guard !profile.languages.isEmpty else { return 0 }
        let own = traits.script.ownLanguages
        guard own.isEmpty else { return profile.languages.contains(where: own.contains) ? 0 : Self.foreignLanguage }
        return profile.languages.allSatisfy(WritingSystem.languagesWithScript.contains) ? Self.unlikelyLanguage : 0
    }

    static func found(atRanks ranks: some Sequence<Int>) -> Double {
        ranks.sorted().prefix(foundAgainMax).reduce(0) { $0 + foundAgain * share(ofRank: $1) / firstRank }
    }

    static func variety(afterRepetitions count: Int) -> Double {
        let beyond = max(0, count - repetitionsOfHalfPage)
        return -repetition * Double(count - beyond) - repetitionBeyond * Double(beyond)
    }

    static func share(ofRank rank: Int) -> Double {
        firstRank / (1 + Double(rank - 1) / rankHalf)
    }

    private static func logarithm2(_ weight: Double) -> Double {
        weight > 0 ? Double(weight.exponent) + weight.significand - 1 : 0
    }

    private func freshness(_ published: Int64?, _ source: Int) -> Double {
        guard let halfLife = sources[source].halfLife, let published else { return 0 }
        let age = Double(max(0, now - min(now, published)))
        // 1 for a new hit and 0.5 at the half-life.
        let freshness = 1 / (1 + age / Double(max(1, halfLife.components.seconds)))
        return Self.freshness * (2 * freshness - 1)
    }

    /// Hits without text, such as images, are in the middle tier.
    private func tier(of match: HitMatch) -> Double {
        guard match.hasText else { return Self.tier }
        if match.titleForm > .none || all({ max(match.title[$0], match.author[$0]) }) { return 2 * Self.tier }
        return all({ max(match.title[$0], match.author[$0], match.snippet[$0]) }) ? Self.tier : 0
    }

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
        !terms.needed.isEmpty && terms.needed.allSatisfy { level($0) >= .fair }
    }

    private func covered(_ level: (Int) -> Double) -> Double {
        terms.words.indices.reduce(0) { $0 + rarity.weights[$1] * level($1) }
    }
}

package struct ScoreParts: Equatable, Sendable {
    package var tier = 0.0
    package var text = 0.0
    package var rank = 0.0
    package var fit = 0.0
    package var weight = 0.0
    package var found = 0.0
    package var freshness = 0.0
    /// A penalty if the source and the query have different languages.
    package var language = 0.0
    /// A bonus if both the source and the query are about programming.
    package var topic = 0.0
    package var variety = 0.0

    package var sum: Double { tier + text + rank + fit + weight + found + freshness + language + topic + variety }

    package var named: [(name: String, value: Double)] {
        [
            ("tier", tier), ("text", text), ("rank", rank), ("fit", fit), ("weight", weight), ("found", found),
            ("freshness", freshness), ("language", language), ("topic", topic), ("variety", variety),
        ].filter { $0.1 != 0 }
    }
}

/// The weight of each word of a query; rare words weigh more, and the sum is 1.
struct WordRarity: Sendable {
    private var hits = 0
    private var counts: [Int]
    private(set) var weights: [Double]

    init(words: Int) {
        counts = Array(repeating: 0, count: words)
        weights = Array(repeating: 1 / Double(max(1, words)), count: words)
    }

    mutating func count(_ match: HitMatch) {
        guard match.hasText else { return }
        hits += 1
        for word in counts.indices
        where match.title[word] > .none || match.snippet[word] > .none || match.author[word] > .none {
            counts[word] += 1
        }
    }

    mutating func weigh() {
        let rarities = counts.map { 1 + Double(hits) / Double($0 + 1) }.map(Self.logarithm)
        let sum = rarities.reduce(0, +)
        weights = rarities.map { sum > 0 ? $0 / sum : 1 / Double(rarities.count) }
    }

    /// Approximates the binary logarithm, with the same result on every machine.
    private static func logarithm(_ number: Double) -> Double {
        Double(number.exponent) + number.significand - 1
    }
}

/// Merges complete lists by relevance, for a benchmark of the ranking.
package enum RankingMeasurement {
    /// Each list is the only page of its source; `now` is in seconds since 1970.
    package static func scored(
        _ lists: [(source: Source, hits: [Hit])],
        _ query: SearchQuery,
        weights: [Double]? = nil,
        now: Int64
    ) -> [(id: String, parts: ScoreParts)] {
        let profiles = lists.enumerated().map { index, list in
            var profile = ConfiguredSource(source: list.source, access: AccountAccess()).profile
            profile.unavailable = nil
            if let weights { profile.weight = weights[index] }
            return profile
        }
        var request = SearchRequest(query: query, sources: profiles)
        request.limit = WireBounds.limit.upperBound
        var walk = Walk(request, now: now)
        let fetchedAt = Instant(nanoseconds: 0)
        for (index, list) in lists.enumerated() {
            let key = PageKey(source: list.source.name, request: PageRequest(query: query))
            let page = Page(hits: list.hits, isEnd: true)
            walk.received(CachedPage(page, key: key, fetchedAt: fetchedAt, freshUntil: fetchedAt), of: index)
        }
        walk.merge(upTo: request.limit, without: [])
        return walk.merged.enumerated().map { ($1.entry.id, walk.parts(ofMerged: $0) ?? ScoreParts()) }
    }
}
