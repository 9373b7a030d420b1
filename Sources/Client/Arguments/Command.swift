/// One command of `searchctl`: everything that parsing, help and running need to know of it.
package struct Command: Sendable {
    package let name: String
    package let group: CommandGroup
    /// The words it takes, as the help shows them: `QUERY…`.
    package let arguments: String
    /// How many words it takes.
    package let wordCount: ClosedRange<Int>
    /// One line, without a full stop.
    package let summary: String
    /// What the summary can't say; whole sentences.
    package let details: [String]
    /// What has no room in the help: paragraphs that only the manual has.
    package let manual: [String]
    /// Its own options; those of every command come on top.
    package let options: [CommandOption]
    /// Those that go with the words so far, as they are then, where they depend on them: what completion offers.
    package let optionsBehind: (@Sendable ([String]) -> [CommandOption])?
    /// Complete command lines, best first.
    package let examples: [String]
    /// What may stand behind the words that are there already.
    package let suggestions: @Sendable ([String]) -> [Suggestion]
    /// Whether only programs use it: neither help nor completion tell of it.
    package let isHidden: Bool
    /// Whether the help of the program has no more of it than its name: what is seldom needed.
    package let isBrief: Bool
    package let run: @Sendable (Arguments, Context) throws(ClientError) -> ExitStatus

    /// More words than any command line can have.
    package static let wordsMax = 100_000

    package init(
        _ name: String,
        _ group: CommandGroup,
        arguments: String = "",
        wordCount: ClosedRange<Int> = 0...0,
        summary: String,
        details: [String] = [],
        manual: [String] = [],
        options: [CommandOption] = [],
        examples: [String],
        optionsBehind: (@Sendable ([String]) -> [CommandOption])? = nil,
        suggestions: @escaping @Sendable ([String]) -> [Suggestion] = { _ in [] },
        isHidden: Bool = false,
        isBrief: Bool = false,
        run: @escaping @Sendable (Arguments, Context) throws(ClientError) -> ExitStatus
    ) {
        self.name = name
        self.group = group
        self.arguments = arguments
        self.wordCount = wordCount
        self.summary = summary
        self.details = details
        self.manual = manual
        self.options = options
        self.examples = examples
        self.optionsBehind = optionsBehind
        self.suggestions = suggestions
        self.isHidden = isHidden
        self.isBrief = isBrief
        self.run = run
    }
}

/// What a command is for: the help lists those of a group together.
package enum CommandGroup: String, CaseIterable, Sendable {
    case find = "Find"
    case keep = "Keep"
    case setUp = "Set up"
    case run = "Run"
    case script = "Script"
}
