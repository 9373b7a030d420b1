/// Text as the contract wants it: no tags, no entities, no control characters, NFC, single blanks, with its marks.
///
/// Invariant: `marks` are ranges of the text's Unicode scalars, ascending, not empty, apart from each other.
struct PlainText: Equatable, Sendable {
    var text: String
    var marks: [Range<Int>] = []

    /// The same; nil when nothing is left.
    var unlessEmpty: PlainText? { text.isEmpty ? nil : self }
}
