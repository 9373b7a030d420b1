/// A word that would fit, and what it is.
package struct Candidate: Equatable, Sendable {
    package let word: String
    /// A few words; may be empty.
    package let about: String

    /// What fits beside the word in a menu.
    static let aboutColumnsMax = 60

    package init(_ word: String, _ about: String) {
        self.word = word
        self.about = about
    }

    /// `word<TAB>about`, safe on a terminal whatever the web or a source file has put into it.
    var line: String {
        let about = Self.cut(VisibleText.visible(self.about))
        return VisibleText.visible(word) + (about.isEmpty ? "" : "\t" + about)
    }

    /// Whether the word is as it stands in `line`.
    ///
    /// Another one would not mean what it says, so nobody offers it.
    var isPlain: Bool {
        !word.isEmpty && VisibleText.visible(word) == word
    }

    private static func cut(_ text: String) -> String {
        let cells = Cell.cells(text)
        guard cells.reduce(0, { $0 + $1.columns }) > aboutColumnsMax else { return text }
        var kept = ""
        var columns = 0
        for cell in cells {
            guard columns + cell.columns < aboutColumnsMax else { break }
            kept += cell.text
            columns += cell.columns
        }
        return kept + "…"
    }
}
