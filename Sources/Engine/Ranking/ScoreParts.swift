/// What a hit's score is made of; the parts add up to it.
package struct ScoreParts: Equatable, Sendable {
    /// How the hit's texts match the query.
    package var text = 0.0
    /// Its rank in its source's own list.
    package var rank = 0.0
    /// How well the source's first hits match: whether it is one for this query.
    package var fit = 0.0
    /// What the source counts for, by its file and the configuration.
    package var weight = 0.0
    /// That other sources have it too.
    package var found = 0.0
    /// How new it is, of kinds that live by it.
    package var freshness = 0.0
    /// Whether the source is in the language of the query.
    package var language = 0.0
    /// Less for each of the last hits before it that came from the same source.
    package var variety = 0.0

    package var sum: Double { text + rank + fit + weight + found + freshness + language + variety }

    /// The parts that are not zero, by name.
    package var named: [(name: String, value: Double)] {
        [
            ("text", text), ("rank", rank), ("fit", fit), ("weight", weight), ("found", found),
            ("freshness", freshness), ("language", language), ("variety", variety),
        ].filter { $0.1 != 0 }
    }
}

extension ScoreParts {
    /// Of a hit of a source whose order is kept.
    static func alone(rank: Int) -> ScoreParts {
        ScoreParts(rank: Ranking.share(ofRank: rank))
    }
}
