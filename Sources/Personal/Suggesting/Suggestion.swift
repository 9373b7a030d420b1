import Glibc
import Hangul

/// A text that is offered while a user types.
package struct Suggestion: Equatable, Sendable {
    /// A title that a search returned, the title of a saved item, or a query; if several apply, the last of these wins.
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
    /// The number of searches for a query, the number of queries that returned a title, or 1 for a saved title.
    package let count: Int
    /// The time at which the text was last searched, returned or saved, in milliseconds since 1970.
    package let at: Int64

    package init(_ text: String, _ kind: Kind, count: Int = 1, at: Int64) {
        (self.text, self.kind, self.count, self.at) = (text, kind, count, at)
    }

    /// Creates a suggestion of a title, which is normalized like typed text.
    package init(title: String, _ kind: Kind, count: Int = 1, at: Int64) {
        self.init(NormalForm.line(title), kind, count: count, at: at)
    }
}

/// The value of a suggestion on a binary logarithmic scale.
///
/// The value increases by about one for twice as many searches, and by one if the last search is two weeks later. It
/// does not depend on the current time, because all entries lose the same value over time.
enum SuggestionScore {
    private static let halfLifeMilliseconds = 14.0 * 86_400_000

    /// Returns the value of an entry; it is low for queries that found nothing, such as typing errors.
    static func value(_ suggestion: Suggestion, hasFound: Bool) -> Double {
        let bonus: Double =
            switch suggestion.kind {
            case .history: hasFound ? 2 : -2
            case .saved: 1
            case .title: 0
            }
        return log2(Double(1 + suggestion.count)) + Double(suggestion.at) / halfLifeMilliseconds + bonus
    }

    /// Returns the number to subtract from an entry's value for an inexact match.
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
    /// The loss of a match in the other keyboard layout; it is greater than any difference between values.
    static let layoutLoss = 10_000.0

    static func wordLoss(isFirst: Bool) -> Double { isFirst ? 0 : 1.5 }
}
