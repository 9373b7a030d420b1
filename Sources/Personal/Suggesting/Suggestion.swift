import Glibc
import Hangul

/// A text that is offered while a user types.
package struct Suggestion: Equatable, Sendable {
    /// If several kinds apply to a text, the last of them wins.
    package enum Kind: String, CaseIterable, Comparable, Sendable {
        case title
        case saved
        case history

        package static func < (left: Kind, right: Kind) -> Bool {
            left != right && (left == .title || right == .history)
        }
    }

    package let text: String
    package let kind: Kind
    /// The number of searches, or of queries that returned the title.
    package let count: Int
    /// When the text was last searched for, returned or saved, in milliseconds since 1970.
    package let at: Int64

    package init(_ text: String, _ kind: Kind, count: Int = 1, at: Int64) {
        (self.text, self.kind, self.count, self.at) = (text, kind, count, at)
    }

    package init(title: String, _ kind: Kind, count: Int = 1, at: Int64) {
        self.init(NormalForm.line(title), kind, count: count, at: at)
    }
}

/// Rates suggestions.
///
/// A score rises about equally if the number of searches doubles, or if the last search is two weeks more recent.
enum SuggestionScore {
    private static let halfLifeMilliseconds = 14.0 * 86_400_000

    static func value(_ suggestion: Suggestion, hasFound: Bool) -> Double {
        let bonus: Double =
            switch suggestion.kind {
            case .history: hasFound ? 2 : -2
            case .saved: 1
            case .title: 0
            }
        return log2(Double(1 + suggestion.count)) + Double(suggestion.at) / halfLifeMilliseconds + bonus
    }

    static func loss(_ match: TypedMatch) -> Double {
        let loss: Double =
            switch match.form {
            case .exact, .typo: 0
            case .layout: layoutLoss
            case .unfinished: 0.5
            case .initials: initialsLoss
            }
        return loss + wordLoss(isFirst: match.position < .word)
    }

    static let initialsLoss = 1.0
    /// Greater than any difference between values.
    static let layoutLoss = 10_000.0

    static func wordLoss(isFirst: Bool) -> Double { isFirst ? 0 : 1.5 }
}
