import Glibc
import Hangul

/// A text that is offered while a user types.
package struct Suggestion: Equatable, Sendable {
    /// The origin of the text; if several cases apply, the last one is used.
    package enum Kind: String, CaseIterable, Comparable, Sendable {
        /// The title of a hit that a search returned.
        case title
        /// The title of a saved item.
        case saved
        /// A query that was searched.
        case history

        package static func < (left: Kind, right: Kind) -> Bool {
            left != right && (left == .title || right == .history)
        }
    }

    package let text: String
    package let kind: Kind
    /// How often the text was searched or returned; 1 for saved titles.
    package let count: Int
    /// When the text was last searched, returned or saved, in milliseconds since 1970.
    package let at: Int64

    package init(_ text: String, _ kind: Kind, count: Int = 1, at: Int64) {
        (self.text, self.kind, self.count, self.at) = (text, kind, count, at)
    }

    /// Creates a suggestion of a title, normalized like typed text.
    package init(title: String, _ kind: Kind, count: Int = 1, at: Int64) {
        self.init(NormalForm.line(title), kind, count: count, at: at)
    }
}

/// The value of a suggestion on a binary logarithmic scale.
///
/// It increases by one for twice as many searches, or for searches two weeks later.
///
/// With time, all entries lose the same value, so their order does not depend on the current time.
enum SuggestionScore {
    private static let halfLifeMilliseconds = 14.0 * 86_400_000

    /// Returns the value of an entry; low for queries that are not known to find anything, such as typing errors.
    static func value(_ suggestion: Suggestion, hasFound: Bool) -> Double {
        let bonus: Double =
            switch suggestion.kind {
            case .history: hasFound ? 2 : -2
            case .saved: 1
            case .title: 0
            }
        return log2(Double(1 + suggestion.count)) + Double(suggestion.at) / halfLifeMilliseconds + bonus
    }

    /// Returns the loss of a match, which is subtracted from the value.
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
    /// The loss of a match in the other keyboard layout; it is more than any difference in value.
    static let layoutLoss = 10_000.0

    /// Returns the loss of a match at a word after the first.
    static func wordLoss(isFirst: Bool) -> Double { isFirst ? 0 : 1.5 }
}
