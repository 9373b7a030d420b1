/// How what someone typed stands in a text; the lesser is the better.
package struct TypedMatch: Comparable, Hashable, Sendable {
    /// In what way the letters agree.
    package enum Form: Int, Comparable, Sendable {
        /// Letter by letter.
        case exact
        /// The last syllable is still being typed.
        case unfinished
        /// Consonants stand for the syllables that they begin.
        case initials
        /// The keyboard was in the wrong layout.
        case layout
        /// One key is missing, too many, wrong or swapped with the next.
        case slip

        package static func < (left: Form, right: Form) -> Bool { left.rawValue < right.rawValue }
    }

    /// Where the match stands.
    package enum Position: Int, Comparable, Sendable {
        /// It is the whole text.
        case whole
        /// The text begins with it.
        case beginning
        /// A word begins with it.
        case word
        case inside

        package static func < (left: Position, right: Position) -> Bool { left.rawValue < right.rawValue }
    }

    /// No match is worse.
    package static let worst = TypedMatch(form: .slip, position: .inside)

    package let form: Form
    package let position: Position

    package static func < (left: TypedMatch, right: TypedMatch) -> Bool {
        (left.form, left.position) < (right.form, right.position)
    }
}
