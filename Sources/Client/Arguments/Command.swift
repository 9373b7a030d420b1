/// One command of `searchctl`: everything that parsing, help and running need to know of it.
package struct Command: Sendable {
    package let name: String
    /// The words it takes, as the help shows them: `QUERY…`.
    package let arguments: String
    /// How many words it takes.
    package let wordCount: ClosedRange<Int>
    /// One line, without a full stop.
    package let summary: String
    /// What the summary can't say; complete lines.
    package let details: [String]
    /// Its own options; those of every command come on top.
    package let options: [CommandOption]
    /// Complete command lines, best first.
    package let examples: [String]
    package let run: @Sendable (Arguments, Context) throws(ClientError) -> ExitStatus

    /// More words than any command line can have.
    package static let wordsMax = 100_000

    package init(
        _ name: String,
        arguments: String = "",
        wordCount: ClosedRange<Int> = 0...0,
        summary: String,
        details: [String] = [],
        options: [CommandOption] = [],
        examples: [String],
        run: @escaping @Sendable (Arguments, Context) throws(ClientError) -> ExitStatus
    ) {
        self.name = name
        self.arguments = arguments
        self.wordCount = wordCount
        self.summary = summary
        self.details = details
        self.options = options
        self.examples = examples
        self.run = run
    }
}
