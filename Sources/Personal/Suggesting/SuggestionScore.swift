import Glibc
import Hangul

/// How much a suggestion is worth, in doublings: as much as twice as many searches, or as searches `halfLife` later.
///
/// Since every entry loses at the same pace, their order by this does not depend on the time. Pure.
enum SuggestionScore {
    private static let halfLifeMilliseconds = 14.0 * 86_400_000
    private static let wordLoss = 1.5

    /// What an entry is worth by itself: how often, how lately, and what it is; little when it is not known to find
    /// anything, as a slip.
    static func standing(_ kind: Suggestion.Kind, count: Int, at: Int64, hasFound: Bool) -> Double {
        let bonus: Double =
            switch kind {
            case .history: hasFound ? 2 : -2
            case .saved: 1
            case .title: 0
            }
        return log2(Double(1 + count)) + Double(at) / halfLifeMilliseconds + bonus
    }

    /// What it loses by the way in which it matches.
    static func loss(_ match: TypedMatch) -> Double {
        let loss: Double =
            switch match.form {
            case .exact, .layout, .typo: 0
            case .unfinished: 0.5
            case .initials: initialsLoss
            }
        return loss + leastLoss(isFirstWord: match.position < .word)
    }

    static let initialsLoss = 1.0

    /// What it loses at least by a match at its first word, or at another.
    static func leastLoss(isFirstWord: Bool) -> Double { isFirstWord ? 0 : wordLoss }
}
