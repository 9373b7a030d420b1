import SearchModel

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

/// Options that the help of a command lists together.
struct OptionGroup {
    let title: String
    let options: [CommandOption]

    /// Fewer options than these need no groups.
    private static let groupedMin = 10

    /// The groups of a command's options, by what a user wants to say; those of no group come last.
    static func groups(of options: [CommandOption]) -> [OptionGroup] {
        guard !options.isEmpty else { return [] }
        guard options.count >= groupedMin else { return [OptionGroup(title: "Options", options: options)] }
        let named = titles.map { title, names in
            OptionGroup(title: title, options: options.filter { names.contains($0.name) })
        }
        let known = Set(titles.flatMap(\.value))
        let others = OptionGroup(title: "Other", options: options.filter { !known.contains($0.name) })
        return (named + [others]).filter { !$0.options.isEmpty }
    }

    private static let titles: KeyValuePairs<String, [String]> = [
        "What to search": ["query", "source", "kind", "tag", "option"],
        "Which hits": ["limit", "page", "offset", "all", "sort", "since", "until", "site", "has"],
        "How fresh, how long": ["fresh", "max-age", "offline", "timeout", "typing"],
        "How to print": [
            "group-by", "long", "json", "plain", "format", "field", "raw", "stream", "no-pager",
            "quiet",
        ],
    ]
}

/// Reads the text behind an option as what the option declares.
enum OptionReader {
    static func value(_ text: String, of option: CommandOption) throws(ClientError) -> Arguments.Value {
        switch option.value {
        case .nothing:
            return .present
        case .text(let placeholder):
            guard !text.isEmpty else {
                throw ClientError(.usage, "the \(placeholder) of --\(option.name) is empty")
            }
            return .text(text)
        case .number(_, in: let range):
            guard let number = Int(text), range.contains(number) else {
                throw ClientError(.usage, "--\(option.name) takes \(description(of: range)), not “\(text)”")
            }
            return .number(number)
        case .duration(_, in: let range):
            guard let duration = DurationText.duration(text, onCommandLine: true), range.contains(duration) else {
                throw ClientError(
                    .usage,
                    "--\(option.name) takes \(description(of: range)), not “\(text)”",
                    hint: "Examples: 500ms, 30s, 10m, 2h, 7d; a bare number is in seconds."
                )
            }
            return .duration(duration)
        case .choice(_, of: let words), .optional(_, of: let words):
            guard words.contains(text) else {
                let hint = ClientError.guess(text, among: words)
                throw ClientError(
                    .usage,
                    "--\(option.name) takes \(words.joined(separator: ", ")), not “\(text)”",
                    hint: hint
                )
            }
            return .text(text)
        }
    }

    private static func description(of range: ClosedRange<Duration>) -> String {
        let bounds = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
        return range.lowerBound == .zero ? "a time of at most \(bounds.1)" : "a time from \(bounds.0) to \(bounds.1)"
    }

    private static func description(of range: ClosedRange<Int>) -> String {
        let first = FigureText.grouped(range.lowerBound)
        return range.upperBound == .max
            ? "a number from \(first)" : "a number from \(first) to \(FigureText.grouped(range.upperBound))"
    }
}
