import JSON
import RPC
import SearchModel

/// What can stand at a position of the command line, as far as completion knows.
package enum Suggestion: Equatable, Sendable {
    /// One of these.
    case words([Candidate])
    /// A source, an account or a profile that can be asked.
    case sources
    /// The same, also those that can't be asked.
    case sourceNames
    /// A source, or a glob of those of an account.
    case sourceGlobs
    case kinds
    /// An account that keys are kept for.
    case keyAccounts
    /// One of the ways in which an account can be used, where it has several.
    case keyWays(account: String)
    /// `SOURCE.KEY=VALUE`.
    case sourceOptions
    /// The number of a hit of the terminal's last search.
    case hits
    /// The id of a saved item, of the latest ones.
    case saved
    /// A tag of the library.
    case tags
    /// The next word of a query that the user has searched, behind these.
    case queries(after: [String])
    /// The next word of what the daemon suggests, behind these.
    case suggestions(after: [String])
    /// A method of the wire.
    case methods
    case commands
    /// A file, which the shell knows best.
    case files

    /// Words that need no description.
    package static func words(_ words: String...) -> Suggestion {
        .words(words.map { Candidate($0, "") })
    }

    /// How many saved items are offered: the latest.
    private static let savedMax = 200

    /// How many texts are asked for: of several, a menu needs no more different words.
    private static let suggestionsMax = 50

    /// What is asked of the method, with the part of a word that is to be completed.
    func params(_ prefix: String) -> [UInt8]? {
        switch self {
        case .suggestions(let words):
            SuggestCommand.params((words + [prefix]).joined(separator: " "), limit: Self.suggestionsMax)
        case .saved: JSONWriter.bytes { $0.member(.limit, Self.savedMax) }
        // Of each group the name is enough.
        case .tags:
            JSONWriter.bytes { writer in
                writer.member(.groupBy, "tag")
                writer.member(.limit, 1)
            }
        default: nil
        }
    }

    /// The method of the daemon that knows; nil when it is known here.
    var method: MethodName? {
        switch self {
        case .sources, .sourceNames, .sourceGlobs, .kinds, .keyAccounts, .keyWays, .sourceOptions: .sourceList
        case .saved, .tags: .libraryList
        case .queries: .historyList
        case .suggestions: .suggest
        case .methods: .discover
        case .words, .hits, .commands, .files: nil
        }
    }
}

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
    /// Another one would not mean what it says, so it is not offered.
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
