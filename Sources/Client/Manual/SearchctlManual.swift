/// Writes searchctl(1) from the table of commands.
enum SearchctlManual {
    static let end = String(decoding: PackageResources.manual_end_txt, as: UTF8.self)

    static func page(of commands: [Command]) -> String {
        let commands = commands.filter { !$0.isHidden }
        var page = Roff("searchctl", section: 1, summary: "search many sources from a shell, through searchd")
        page.heading("SYNOPSIS")
        for command in commands {
            let rest = [command.arguments, "[OPTION…]"].filter { !$0.isEmpty }.joined(separator: " ")
            page.synopsis("searchctl \(command.name)", rest)
        }
        page.heading("EXAMPLES")
        page.example(commands.compactMap(\.examples.first))
        page.heading("DESCRIPTION")
        page.paragraph(
            "searchctl is a client of searchd(8). searchd holds the keys, shares one cache and enforces the limits of "
                + "the sources. If no daemon answers, searchctl starts a daemon, unless --no-start is given."
        )
        page.paragraph(
            "Results are printed to standard output, progress and warnings to standard error. Hits are text on a "
                + "terminal, and one JSON object per line elsewhere. Other results are text, or JSON with --json. "
                + "Control characters in text from the web do not reach the terminal."
        )
        page.heading("COMMANDS")
        for command in commands { write(command, to: &page) }
        page.heading("OPTIONS OF EVERY COMMAND")
        write(CommandOption.common, to: &page)
        return page.text + end
    }

    private static func write(_ command: Command, to page: inout Roff) {
        page.subheading("\(command.name) \(command.arguments)")
        page.paragraph(sentence(command.summary))
        if !command.details.isEmpty { page.paragraph(command.details.joined(separator: " ")) }
        for text in command.manual { page.paragraph(text) }
        page.example(command.examples)
        guard !command.options.isEmpty else { return }
        if command.name == "again" {
            page.paragraph("The options are those of search.")
        } else {
            write(command.options, to: &page)
        }
    }

    private static func write(_ options: [CommandOption], to page: inout Roff) {
        for option in options {
            let letter = option.letter.map { "-\($0), " } ?? ""
            page.entry(letter + Help.written(option), sentence(option.help))
            if !option.manual.isEmpty { page.more(option.manual) }
            if option.isRepeatable { page.more("The option can be given several times.") }
        }
    }

    private static func sentence(_ text: String) -> String {
        let isList = text.prefix { $0 != " " }.hasSuffix(",")
        return (isList ? text : text.prefix(1).uppercased() + text.dropFirst()) + (text.hasSuffix("…") ? "" : ".")
    }
}
