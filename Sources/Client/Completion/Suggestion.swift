import RPC

/// What can stand in a place of the command line, as far as completion knows.
package enum Suggestion: Equatable, Sendable {
    /// One of these.
    case words([Candidate])
    /// A source, or a glob of those of an account.
    case sources
    /// A source by its name alone, also one that can't be asked.
    case sourceNames
    case kinds
    /// What keys are kept for.
    case accounts
    /// `SOURCE.KEY=VALUE`.
    case sourceOptions
    /// The number of a hit of the terminal's last search.
    case hits
    /// A method of the wire.
    case methods
    case commands
    /// A file, which the shell knows best.
    case files

    /// Words that need no further telling.
    package static func words(_ words: String...) -> Suggestion {
        .words(words.map { Candidate($0, "") })
    }

    /// The method of the daemon that knows; nil when it is known here.
    var method: MethodName? {
        switch self {
        case .sources, .sourceNames, .kinds, .accounts, .sourceOptions: .sourceList
        case .methods: .discover
        case .words, .hits, .commands, .files: nil
        }
    }
}
