import Hangul

/// A command of `searchctl`, for the parser, the help, completion and the manual.
package struct Command: Sendable {
    package let name: String
    package let group: CommandGroup
    package let arguments: String
    package let wordCount: ClosedRange<Int>
    package let summary: String
    package let details: [String]
    package let manual: [String]
    package let options: [CommandOption]
    package let examples: [String]
    package let suggestions: @Sendable ([String]) -> [Suggestion]
    /// Whether help and completion omit the command, because only programs use it.
    package let isHidden: Bool
    /// Whether “searchctl --help” has only the name of the command, without the summary.
    package let isBrief: Bool
    package let run: @Sendable (Context) throws(ClientError) -> ExitStatus

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
        suggestions: @escaping @Sendable ([String]) -> [Suggestion] = { _ in [] },
        isHidden: Bool = false,
        isBrief: Bool = false,
        run: @escaping @Sendable (Context) throws(ClientError) -> ExitStatus
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
        self.suggestions = suggestions
        self.isHidden = isHidden
        self.isBrief = isBrief
        self.run = run
    }
}

package enum CommandGroup: String, CaseIterable, Sendable {
    case find = "Find"
    case keep = "Keep"
    case setUp = "Set up"
    case run = "Run"
    case script = "Script"
    case seldom = "Seldom"
}

package enum Help {
    private static let leftColumnsMax = 24
    private static let optionsMax = 16
    private static let optionsShown = 10

    package static func usage(of command: Command) -> String {
        ["searchctl", command.name, command.arguments].filter { !$0.isEmpty }.joined(separator: " ")
    }

    package static func text(of commands: [Command], columns: Int, all: Bool = false) -> String {
        let layout = Layout(columns: columns)
        let commands = commands.filter { !$0.isHidden && (all || $0.group != .seldom) }
        let first = commands.first?.examples.first ?? ""
        let intro = layout.lines("Usage: searchctl COMMAND [OPTION…], for example: \(first)", indent: 2)
        let widest = commands.map(\.name.count).max() ?? 0
        let heads = CommandGroup.allCases.map(\.rawValue.count).max() ?? 0
        let rows = CommandGroup.allCases.flatMap { group in
            let members = commands.filter { $0.group == group }
            var rows = members.filter { all || !$0.isBrief }.map { ($0.name, $0.summary) }
            let others = members.filter { !all && $0.isBrief }.map(\.name)
            if !others.isEmpty { rows.append(("also:", others.joined(separator: ", "))) }
            return rows.enumerated().flatMap { index, row in
                let title = index == 0 ? group.rawValue : ""
                let head = DisplayWidth.padded(title, heads + 2) + DisplayWidth.padded(row.0, widest + 2)
                return layout.lines(row.1, behind: head)
            }
        }
        let more = layout.lines("For details, run “searchctl COMMAND --help” or “man searchctl”.")
        return joined([intro, rows, more])
    }

    package static func text(of command: Command, columns: Int, all: Bool = false) -> String {
        let layout = Layout(columns: columns)
        let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."
        let about = layout.lines(([summary] + command.details).joined(separator: " "), behind: "  ")
        let examples = ["Examples:"] + command.examples.flatMap { layout.lines($0, behind: "  ", indent: 6) }
        let common = CommandOption.common.map(written).joined(separator: ", ")
        let isCut = !all && command.options.count > optionsMax
        let shown = isCut ? Array(command.options.prefix(optionsShown)) : command.options
        let others = "“searchctl \(command.name) --help all” lists \(command.options.count - shown.count) more options."
        return joined(
            [layout.lines("Usage: \(usage(of: command)) [OPTION…]", indent: 2) + about, examples]
                + [shown.isEmpty ? [] : ["Options:"] + layout.table(shown.map(row), indent: 2, nameMax: leftColumnsMax)]
                + [isCut ? layout.lines(others) : []]
                + [layout.lines("Options of every command: \(common)", indent: 2)]
        )
    }

    private static func row(of option: CommandOption) -> (name: String, text: String) {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        return (letter + written(option), option.help)
    }

    static func written(_ option: CommandOption) -> String {
        "--\(option.name)" + (option.value.placeholder.map { " \($0)" } ?? "")
    }

    private static func joined(_ sections: [[String]]) -> String {
        sections.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }
}
