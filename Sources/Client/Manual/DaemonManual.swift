/// searchd(8).
package enum DaemonManual {
    /// Every option of the daemon.
    package static let options = [
        ManualEntry(
            "--socket",
            "PATH",
            "Where to listen. Else, the first of: $SEARCHD_SOCKET, a socket that systemd hands over, "
                + "$XDG_RUNTIME_DIR/searchd.sock, /run/searchd/searchd.sock."
        ),
        ManualEntry(
            "--config",
            "FILE",
            "The configuration, as searchd.conf(5) tells. Else the first that is there of: $SEARCHD_CONFIG, "
                + "$XDG_CONFIG_HOME/searchd/config.json5, /etc/searchd/config.json5; none is fine."
        ),
        ManualEntry(
            "--state",
            "DIR",
            "The directory for what must last. Else $STATE_DIRECTORY, which systemd sets, $XDG_STATE_HOME/searchd or "
                + "~/.local/state/searchd."
        ),
        ManualEntry(
            "--cache",
            "DIR",
            "The directory for what may be lost. Else $CACHE_DIRECTORY, which systemd sets, $XDG_CACHE_HOME/searchd "
                + "or ~/.cache/searchd."
        ),
        ManualEntry(
            "--check",
            "",
            "Checks configuration, secrets and source files, tells all that is wrong with line and column, and exits: "
                + "0 when nothing is wrong, else 78. Nothing is served, and no source is asked."
        ),
        ManualEntry(
            "--check-source",
            "FILE",
            "Checks one source file and exits with 0 or 78. “searchctl sources check” does the same."
        ),
        ManualEntry("--try", "QUERY", "With --check-source: also asks the source once, and prints what comes of it."),
        ManualEntry(
            "--log-level",
            "LEVEL",
            "The least important lines of the log: error, warning, notice, info (the default), or debug, which also "
                + "writes what is searched for. It wins over log.level of the configuration."
        ),
        ManualEntry("--verbose", "", "The same as --log-level debug."),
        ManualEntry(
            "--ready-fd",
            "N",
            "Writes a line to descriptor N, which is above 2, once clients can connect; for the program that starts it."
        ),
        ManualEntry("--version", "", "Prints the version."),
        ManualEntry("--help", "", "Prints a summary of these options."),
    ]

    static let signals = [
        ManualEntry(
            "TERM, INT",
            "",
            "Nothing new is accepted; requests in flight may finish within 5 seconds; then the daemon ends with 0. "
                + "A second one ends it at once."
        ),
        ManualEntry(
            "HUP",
            "",
            "Configuration, source files and keys are read again and take effect together; when one is wrong, all stays "
                + "as it was, and the log says why. “searchctl reload” does the same and tells the outcome."
        ),
    ]

    /// The statuses with which the daemon ends, by number.
    package static let statuses: [(number: Int32, meaning: String)] = [
        (0, "It was asked to end, or found nothing wrong."),
        (64, "The command line is wrong."),
        (69, "What it needs is not there: another daemon serves the socket already, for example."),
        (70, "A defect."),
        (73, "The socket or a directory can't be made, or is not safe where it is."),
        (77, "A file or directory may not be used."),
        (78, "The configuration or a source file is wrong; the message has the line and what would be right."),
    ]

    static let files = [
        ManualEntry("/etc/searchd/config.json5", "", "The configuration of the system's daemon."),
        ManualEntry("$XDG_CONFIG_HOME/searchd/config.json5", "", "The configuration of a user's own daemon."),
        ManualEntry(
            "sources.d/*.json5",
            "",
            "Beside the configuration: further sources, one a file. “searchctl sources guide” tells how."
        ),
        ManualEntry("/run/searchd/searchd.sock, $XDG_RUNTIME_DIR/searchd.sock", "", "The sockets."),
    ]

    static var page: String {
        var page = Roff("searchd", section: 8, summary: "one search service for the whole machine")
        page.heading("SYNOPSIS")
        page.synopsis("searchd", "[OPTION…]")
        page.heading("EXAMPLES")
        page.example([
            "searchd --check", "searchd --socket /run/searchd/searchd.sock --config /etc/searchd/config.json5",
            "searchd --check-source recipes.dishes.json5 --try soup",
        ])
        page.heading("DESCRIPTION")
        page.paragraph(
            "searchd asks search engines, encyclopedias, shops and libraries for every program of the machine. It "
                + "holds the API keys, shares one cache and the calls in flight, keeps the limits and quotas of every "
                + "source, and answers over a Unix socket, one JSON-RPC 2.0 message a line. searchctl(1) is the way to "
                + "use it from a shell; searchd-protocol(7) describes every method."
        )
        page.heading("OPTIONS")
        page.entries(options)
        page.heading("SIGNALS")
        page.entries(signals)
        write(socketsTo: &page)
        page.heading("EXIT STATUS")
        page.entries(statuses.map { ManualEntry(String($0.number), "", $0.meaning) })
        page.heading("FILES")
        page.entries(files)
        page.heading("SEE ALSO")
        page.paragraph("searchctl(1), searchd.conf(5), searchd-protocol(7), systemd.socket(5), systemd.exec(5)")
        return page.text
    }

    private static func write(socketsTo page: inout Roff) {
        page.heading("SOCKETS")
        page.paragraph(
            "There is one daemon a socket: a second one refuses to start, a stale socket is replaced. The directory of "
                + "the socket, and those above it, must not be writable by others; a missing one is made."
        )
        page.paragraph(
            "A line is at most 1 MiB long and 64 levels deep. A client that does not read is held back at 1 MiB of "
                + "unsent bytes and dropped after 30 seconds."
        )
        page.heading("SYSTEMD")
        page.paragraph(
            "A listening socket that systemd hands over (LISTEN_FDS) is served in place of one of our own, so that no "
                + "connection is refused while the daemon starts. Readiness and stopping are told to $NOTIFY_SOCKET; "
                + "use Type=notify. Secrets may be credentials: LoadCredential= in the unit, and "
                + "{ credential: \"NAME\" } in the configuration."
        )
    }
}
