/// One option of the command line: how it is written, what it takes, what the help says of it.
package struct CommandOption: Sendable {
    /// What follows the option; the text is the word that stands for it in the help.
    package enum Value: Sendable {
        case nothing
        case text(String)
        case number(String, in: ClosedRange<Int>)
        /// A time such as `500ms`, `30s`, `10m`; a bare number counts seconds.
        case duration(String, in: ClosedRange<Duration>)
        case choice(String, of: [String])
        /// A word that may follow behind `=`, and nothing else may.
        case optional(String, of: [String])

        /// The word that stands for the value in the help; nil when there is none.
        package var placeholder: String? {
            switch self {
            case .nothing: nil
            case .text(let word), .number(let word, in: _), .duration(let word, in: _), .choice(let word, of: _): word
            case .optional: nil
            }
        }

        /// Whether what follows is never a word of its own.
        package var standsAlone: Bool {
            switch self {
            case .nothing, .optional: true
            case .text, .number, .duration, .choice: false
            }
        }
    }

    /// Without its dashes.
    package let name: String
    package let letter: Character?
    package let value: Value
    /// Of an option that is not repeatable, the last one counts.
    package let isRepeatable: Bool
    /// A few words.
    package let help: String
    /// What has no room in the help: sentences that only the manual has.
    package let manual: String
    /// What a text may be; a choice says that itself.
    package let suggestion: Suggestion?

    package init(
        _ name: String,
        letter: Character? = nil,
        value: Value = .nothing,
        isRepeatable: Bool = false,
        help: String,
        manual: String = "",
        suggestion: Suggestion? = nil
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.isRepeatable = isRepeatable
        self.help = help
        self.manual = manual
        self.suggestion = suggestion
    }
}

/// The options of every command.
extension CommandOption {
    static let socket = CommandOption(
        "socket",
        value: .text("PATH"),
        help: "where the daemon listens (default $SEARCHD_SOCKET, then the usual paths)",
        suggestion: .files
    )
    static let noStart = CommandOption("no-start", help: "fail instead of starting a daemon when none answers")
    static let color = CommandOption(
        "color",
        value: .choice("WHEN", of: ["auto", "always", "never"]),
        help: "colours and links: auto, always, never"
    )
    static let help = CommandOption("help", letter: "h", help: "show this help")
    static let version = CommandOption("version", help: "show the version")

    package static let common = [socket, noStart, color, help, version]
}
