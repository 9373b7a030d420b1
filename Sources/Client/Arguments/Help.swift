/// The help, from the table of commands.
package enum Help {
    /// The columns of the left side; longer entries push their text onto a line of its own.
    private static let leftColumnsMax = 28
    /// So that the commands, of which there are many, fit beside them.
    private static let examplesMax = 3

    /// How a command is written.
    package static func usage(of command: Command) -> String {
        ["searchctl", command.name, command.arguments].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The help of the whole program; it fits a screen of 24 lines.
    package static func text(of commands: [Command]) -> String {
        let examples = commands.compactMap(\.examples.first).prefix(examplesMax)
        return section("Examples", examples.map { "  \($0)" })
            + section("Commands", rows(commands.map { ("\($0.name) \($0.arguments)", $0.summary) }))
            + commonOptions + "“searchctl COMMAND --help” tells more.\n"
    }

    /// The help of one command.
    package static func text(of command: Command) -> String {
        let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."
        return section("Examples", command.examples.map { "  \($0)" })
            + section(
                "Usage",
                ["  \(usage(of: command)) [OPTION…]", "  \(summary)"] + command.details.map { "  \($0)" }
            )
            + section("Options", rows(command.options.map(row)))
            + commonOptions
    }

    private static var commonOptions: String {
        "Options of every command: \(CommandOption.common.map(written).joined(separator: ", "))\n"
    }

    private static func row(of option: CommandOption) -> (String, String) {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        return (letter + written(option), option.help + (option.isRepeatable ? "; repeatable" : ""))
    }

    private static func written(_ option: CommandOption) -> String {
        "--\(option.name)" + (option.value.placeholder.map { " \($0)" } ?? "")
    }

    private static func rows(_ rows: [(left: String, right: String)]) -> [String] {
        let left = min(leftColumnsMax, rows.map(\.left.count).max() ?? 0)
        return rows.flatMap { row in
            if row.left.count > left {
                ["  \(row.left)", String(repeating: " ", count: left + 4) + row.right]
            } else {
                ["  \(row.left)" + String(repeating: " ", count: left - row.left.count + 2) + row.right]
            }
        }
    }

    private static func section(_ title: String, _ lines: [String]) -> String {
        lines.isEmpty ? "" : "\(title):\n" + lines.joined(separator: "\n") + "\n\n"
    }
}
