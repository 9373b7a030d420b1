/// The help, from the table of commands.
package enum Help {
    /// The columns of the left side; longer entries push their text onto a line of its own.
    private static let leftColumnsMax = 36
    /// More options than these stand in two columns, so that the help fits a screen.
    private static let singleColumnOptionsMax = 10
    /// So that the commands, of which there are many, fit beside them.
    private static let examplesMax = 3

    /// How a command is written.
    package static func usage(of command: Command) -> String {
        ["searchctl", command.name, command.arguments].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The help of the whole program; it fits a screen of 24 lines.
    package static func text(of commands: [Command]) -> String {
        let commands = commands.filter { !$0.isHidden }
        let examples = commands.compactMap(\.examples.first).prefix(examplesMax)
        return section("Examples", examples.map { "  \($0)" })
            + section("Commands", rows(commands.map { ("\($0.name) \($0.arguments)", $0.summary) }))
            + commonOptions + "“searchctl COMMAND --help” tells more, “man searchctl” all.\n"
    }

    /// The help of one command; it fits a screen too.
    package static func text(of command: Command) -> String {
        let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."
        return section("Examples", command.examples.map { "  \($0)" })
            + "Usage: \(usage(of: command)) [OPTION…]\n"
            + ([summary] + command.details).map { "  \($0)\n" }.joined() + "\n"
            + section("Options", options(command.options))
            + commonOptions
    }

    private static func options(_ options: [CommandOption]) -> [String] {
        guard options.count > singleColumnOptionsMax else { return rows(options.map(row)) }
        let half = (options.count + 1) / 2
        let columns = [options.prefix(half), options.dropFirst(half)].map { rows($0.map(row)) }
        let width = columns[0].map { DisplayWidth.columns(of: $0) }.max() ?? 0
        return (0..<max(columns[0].count, columns[1].count)).map { index in
            let left = columns[0].indices.contains(index) ? columns[0][index] : ""
            guard columns[1].indices.contains(index) else { return left }
            return DisplayWidth.padded(left, width) + columns[1][index]
        }
    }

    private static var commonOptions: String {
        "Options of every command: \(CommandOption.common.map(written).joined(separator: ", "))\n"
    }

    private static func row(of option: CommandOption) -> (String, String) {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        return (letter + written(option), option.help)
    }

    /// The option with the word that stands for its value.
    static func written(_ option: CommandOption) -> String {
        "--\(option.name)" + (option.value.placeholder.map { " \($0)" } ?? "")
    }

    private static func rows(_ rows: [(left: String, right: String)]) -> [String] {
        let left = min(leftColumnsMax, rows.map(\.left.count).max() ?? 0)
        return rows.flatMap { row in
            if row.left.count > left {
                ["  \(row.left)", String(repeating: " ", count: left + 4) + row.right]
            } else {
                ["  \(DisplayWidth.padded(row.left, left))  \(row.right)"]
            }
        }
    }

    private static func section(_ title: String, _ lines: [String]) -> String {
        lines.isEmpty ? "" : "\(title):\n" + lines.joined(separator: "\n") + "\n\n"
    }
}
