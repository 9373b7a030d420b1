/// searchctl(1), from the table of commands.
enum SearchctlManual {
    /// What each exit status means.
    static let statuses: [(status: ExitStatus, meaning: String)] = [
        (.found, "Something was found, or done."),
        (.nothingFound, "Nothing was found; nothing failed."),
        (.usage, "The command line, or what it asks for, is wrong."),
        (.sourceFailed, "Some source failed, and --strict was given."),
        (.noDaemon, "No daemon answers and none could be started, or it went away."),
        (.defect, "A defect, here or in the daemon; its log has the details."),
        (.tryLater, "Try again later: a limit, a quota, a time-out, or a source that does not answer."),
        (.notAllowed, "Not allowed, or a source refused the key."),
        (.notConfigured, "A key is missing, or what was checked is wrong."),
        (.interrupted, "Interrupted with Ctrl-C; the daemon was told."),
    ]

    static let environment = [
        ManualEntry(
            "SEARCHD_SOCKET",
            "",
            "Where the daemon listens, unless --socket says it. The daemon of a user who is neither root nor "
                + "oneself is asked nothing where others could have put its socket: exit 77."
        ),
        ManualEntry(
            "XDG_RUNTIME_DIR",
            "",
            "Holds searchd.sock, the socket of the user's own daemon; /run/user/UID when it is not set."
        ),
        ManualEntry("NO_COLOR", "", "When it is set, nothing is coloured; --color wins over it."),
        ManualEntry("CLICOLOR_FORCE", "", "When it is set, but not to 0, colours and links also outside a terminal."),
        ManualEntry("TERM", "", "dumb, or nothing, means a terminal without colours and without a progress line."),
        ManualEntry("COLUMNS", "", "The width of a text that does not go to a terminal."),
        ManualEntry("BROWSER", "", "What “searchctl open” opens addresses with; else xdg-open."),
        ManualEntry("VISUAL, EDITOR", "", "What “searchctl note” opens for a text; else vi."),
        ManualEntry("PATH", "", "Where searchd is looked for when it does not lie beside searchctl."),
    ]

    static let files = [
        ManualEntry("$XDG_RUNTIME_DIR/searchd.sock", "", "The socket of the user's own daemon, which is tried first."),
        ManualEntry(
            "$XDG_STATE_HOME/searchd/run/searchd.sock",
            "",
            "The same where there is no runtime directory, as under cron or su; no other user can enter the directory."
        ),
        ManualEntry(
            "$XDG_STATE_HOME/searchd/searchd.log",
            "",
            "The log of a daemon that searchctl has started; “searchctl logs” shows it."
        ),
        ManualEntry("/run/searchd/searchd.sock", "", "The socket of the system's daemon."),
        ManualEntry(
            "$XDG_RUNTIME_DIR/searchctl/",
            "",
            "The last search or list of saved items of each terminal, whose numbers open, show, save and the like take in "
                + "the same session, and what “searchctl unsave” removed lately; no other user can read them. A draft of "
                + "“searchctl note” that could not be saved is kept beside it."
        ),
    ]

    static func page(of commands: [Command]) -> String {
        let commands = commands.filter { !$0.isHidden }
        var page = Roff("searchctl", section: 1, summary: "search many sources from a shell, through searchd")
        page.heading("SYNOPSIS")
        for command in commands {
            page.synopsis("searchctl \(command.name)", "\(command.arguments) [OPTION…]".trimmingStart)
        }
        page.heading("EXAMPLES")
        page.example(commands.compactMap(\.examples.first))
        page.heading("DESCRIPTION")
        page.paragraph(
            "searchctl asks searchd(8), which holds the keys, shares one cache and keeps the limits of every source. "
                + "When no daemon answers it starts one, unless --no-start is given."
        )
        page.paragraph(
            "Results go to standard output, progress and warnings to standard error. Hits are text on a terminal and "
                + "one JSON object per line elsewhere; everything else is text, or JSON with --json. What the web has "
                + "put into a text cannot drive the terminal."
        )
        page.heading("COMMANDS")
        for command in commands { write(command, to: &page) }
        page.heading("OPTIONS OF EVERY COMMAND")
        write(CommandOption.common, to: &page)
        write(launchersTo: &page)
        page.heading("EXIT STATUS")
        page.entries(statuses.map { ManualEntry(String($0.status.number), "", $0.meaning) })
        page.heading("ENVIRONMENT")
        page.entries(environment)
        page.heading("FILES")
        page.entries(files)
        page.heading("SEE ALSO")
        page.paragraph("searchd(8), searchd.conf(5), searchd-protocol(7), fzf(1), rofi-script(5), jq(1)")
        return page.text
    }

    private static func write(launchersTo page: inout Roff) {
        page.heading("LAUNCHERS")
        page.paragraph("With fzf(1), the hits of a query to choose from, and the chosen one in the browser:")
        page.example([
            #"searchctl search -n 50 --format fzf 고양이 | fzf --delimiter '\t' --with-nth 2 | cut -f1 | xargs -r -d '\n' xdg-open"#
        ])
        page.paragraph(
            "With rofi(1), save this as search-mode, make it executable, and run “rofi -modi search:$PWD/search-mode -show "
                + "search”: it searches for what is entered, and opens what is chosen."
        )
        page.example([
            "#!/bin/sh", "case ${ROFI_RETV:-0} in", #"0) printf '\0prompt\037search\n' ;;"#,
            #"1) setsid xdg-open "$ROFI_INFO" >/dev/null 2>&1 & ;;"#,
            #"*) exec searchctl search -n 50 --format rofi -- "$1" ;;"#, "esac",
        ])
    }

    private static func write(_ command: Command, to page: inout Roff) {
        page.subheading("\(command.name) \(command.arguments)")
        page.paragraph(sentence(command.summary))
        if !command.details.isEmpty { page.paragraph(command.details.joined(separator: " ")) }
        for text in command.manual { page.paragraph(text) }
        page.example(command.examples)
        guard !command.options.isEmpty else { return }
        // A command that repeats another one takes all of its options; once explained is enough.
        if command.name == "again" {
            page.paragraph(
                "It takes every option of search. Those that print for programs are not repeated by themselves."
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
        // Words to choose from stay as they are typed.
        let isList = text.prefix { $0 != " " }.hasSuffix(",")
        return (isList ? text : text.prefix(1).uppercased() + text.dropFirst()) + (text.hasSuffix("…") ? "" : ".")
    }
}

extension String {
    fileprivate var trimmingStart: String {
        String(drop { $0 == " " })
    }
}
