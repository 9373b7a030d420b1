/// searchctl(1), from the table of commands.
enum SearchctlManual {
    /// What each exit status means.
    static let statuses: [(status: ExitStatus, meaning: String)] = [
        (.found, "Something was found or done."),
        (.nothingFound, "Nothing was found, and nothing failed."),
        (.usage, "The command line or the request is not valid."),
        (.sourceFailed, "With --strict: a source failed or was left out."),
        (.noDaemon, "No daemon answers and none can be started, or the connection was lost."),
        (.defect, "A bug in searchctl or in the daemon; the log of the daemon has the details."),
        (.tryLater, "Try again later: a limit or a quota is reached, or a source does not answer."),
        (.notAllowed, "Not allowed, or a source refused the key."),
        (.notConfigured, "A key is missing, or a check failed."),
        (.interrupted, "Interrupted with Ctrl-C; the request was cancelled."),
    ]

    private static let environment = [
        (
            "SEARCHD_SOCKET",
            "The socket of the daemon, unless --socket is given. If the socket belongs to neither root nor you, and "
                + "other users could have created it, searchctl exits with 77."
        ),
        (
            "XDG_RUNTIME_DIR",
            "The directory of searchd.sock, the socket of the user's own daemon. Default: /run/user/UID."
        ),
        ("NO_COLOR", "If set, colours are off, unless --color is given."),
        ("CLICOLOR_FORCE", "If set and not 0, colours and links are also used outside a terminal."),
        ("TERM", "If it is dumb or not set, there are no colours and no progress line."),
        ("COLUMNS", "The width of text outside a terminal."),
        ("BROWSER", "The browser of “searchctl open”. Default: xdg-open."),
        ("PATH", "Used to find searchd if it is not in the directory of searchctl."),
    ]

    private static let files = [
        ("$XDG_RUNTIME_DIR/searchd.sock", "The socket of the user's own daemon, which is tried first."),
        (
            "$XDG_STATE_HOME/searchd/run/searchd.sock",
            "The same socket without a runtime directory, as under cron or su. Other users can't enter the directory."
        ),
        ("$XDG_STATE_HOME/searchd/searchd.log", "The log of a daemon that was started by searchctl."),
        ("/run/searchd/searchd.sock", "The socket of the system's daemon."),
        (
            "$XDG_RUNTIME_DIR/searchctl/",
            "The last list of each terminal, for the numbers of open, show and save, and the items that “searchctl "
                + "unsave” removed last. Other users can't read them."
        ),
    ]

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
            "searchctl is a client of searchd(8), which holds the keys, shares one cache and enforces the limits of "
                + "the sources. If no daemon answers, searchctl starts one, unless --no-start is given."
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
        page.heading("EXIT STATUS")
        page.entries(statuses.map { (String($0.status.number), $0.meaning) })
        page.heading("ENVIRONMENT")
        page.entries(environment)
        page.heading("FILES")
        page.entries(files)
        page.heading("SEE ALSO")
        page.paragraph("searchd(8), searchd.conf(5), searchd-protocol(7), jq(1)")
        return page.text
    }

    private static func write(_ command: Command, to page: inout Roff) {
        page.subheading("\(command.name) \(command.arguments)")
        page.paragraph(sentence(command.summary))
        if !command.details.isEmpty { page.paragraph(command.details.joined(separator: " ")) }
        for text in command.manual { page.paragraph(text) }
        page.example(command.examples)
        guard !command.options.isEmpty else { return }
        if command.name == "again" {
            page.paragraph(
                "It has the options of search. Options for the output to programs are not repeated."
            )
        } else {
            write(command.options, to: &page)
        }
    }

    private static func write(_ options: [CommandOption], to page: inout Roff) {
        for option in options {
            let letter = option.letter.map { "-\($0), " } ?? ""
            page.entry(letter + Help.written(option), sentence(option.help))
            if !option.manual.isEmpty { page.more(option.manual) }
            if option.isRepeatable { page.more("It may be given several times.") }
        }
    }

    private static func sentence(_ text: String) -> String {
        // Words to choose from are not capitalised.
        let isList = text.prefix { $0 != " " }.hasSuffix(",")
        return (isList ? text : text.prefix(1).uppercased() + text.dropFirst()) + (text.hasSuffix("…") ? "" : ".")
    }
}
