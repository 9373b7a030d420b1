/// Every command but those of other modules, in the order of the help.
package enum CommandTable {
    package static let commands = finding + keeping + running

    private static let finding = [
        Command(
            "search",
            .find,
            arguments: "QUERY…",
            wordCount: 1...Command.wordsMax,
            summary: "find something, in one source or in many",
            details: [
                "On a terminal two or three lines for each hit; elsewhere one JSON object per line, in the same order. "
                    + "With “-” as QUERY, it is read from standard input."
            ],
            manual: [
                "The hits of several sources are merged into one list; the same thing found by several is one hit. "
                    + "Hits are printed once all sources have answered, or with --stream as each comes.",
                "On a terminal, a search does not wait for a source that takes much longer than usual once the list is "
                    + "full; the last line names it, and “searchctl again” has its hits. A program gets what all sources have.",
                "On a terminal, standard error shows which sources are still waited for, and at the end how many hits "
                    + "there are, how long it took and what failed. Standard output has nothing but hits.",
            ],
            options: CommandOption.ofSearch,
            examples: [
                "searchctl search 고양이 사료",
                "searchctl search -s 'kakao.*' -k blog -n 30 고양이",
            ],
            suggestions: { [.suggestions(after: $0)] },
            run: SearchCommand.run
        ),
        Command(
            "again",
            .find,
            summary: "the last search of this terminal once more",
            details: ["Options given now take the place of those given then."],
            options: CommandOption.ofSearch,
            examples: [
                "searchctl again --page 2", "searchctl again --fresh --sort recency",
            ],
            run: AgainCommand.run
        ),
        Command(
            "open",
            .find,
            arguments: "ID…",
            wordCount: 1...HitSelection.shownMax,
            summary: "hits of that search in the browser",
            details: [
                "ID is the number in front of a title, several as 1-3, or a hit's id or its unique beginning; "
                    + "\(HitSelection.shownMax) at most.",
                "$BROWSER names the browser; one for the terminal, such as w3m, takes it over.",
            ],
            options: [.print],
            examples: ["searchctl open 1", "searchctl open 1-3 5", "searchctl open 2 --print"],
            suggestions: { _ in [.hits] },
            run: OpenCommand.run
        ),
        Command(
            "show",
            .find,
            arguments: "ID…",
            wordCount: 1...HitSelection.shownMax,
            summary: "all that is known of a hit: description, price, rating",
            details: [
                "ID is the number in front of a title, several as 1-3, or the id of a hit or its unique beginning; "
                    + "\(HitSelection.shownMax) at most.",
                "Of what is saved, it also shows when, and tags and notes.",
                "A source that can be asked for one item is asked for its own record, which costs a call of its quota and "
                    + "is cached like a search; of others, and with --offline, what searches have found is shown. The last "
                    + "line says which it is, and how old.",
            ],
            options: CommandOption.ofShow,
            examples: [
                "searchctl show 1", "searchctl show 2 --field extra.isbn13", "searchctl show 1 --raw --json | jq .raw",
            ],
            suggestions: { _ in [.hits, .saved] },
            run: ShowCommand.run
        ),
        SuggestCommand.command,
        Command(
            "history",
            .find,
            arguments: "[PREFIX | clear [QUERY]]",
            wordCount: 0...Command.wordsMax,
            summary: "what you searched, the latest first",
            details: [
                "PREFIX is how a query, or a word of it, begins: also by initials (ㄱㅇㅇ) or typed in the other keyboard "
                    + "layout. “clear” removes all, or one query, and leaves no trace of it in any file of yours. On a "
                    + "terminal it asks before it removes all; with --yes or --json it does not.",
                "A search counts once it stood for a second, or a hit of it was looked up or saved. With --private, it never does.",
            ],
            options: CommandOption.ofHistory,
            examples: ["searchctl history", "searchctl history ㄱㅇㅇ", "searchctl history clear 고양이 사료"],
            suggestions: HistoryCommand.suggestions,
            isBrief: true,
            run: HistoryCommand.run
        ),
    ]

    private static let running = [
        SetupCommand.command,
        Command(
            "sources",
            .setUp,
            arguments: "[NAME | guide | check FILE]",
            wordCount: 0...2,
            summary: "what can be searched, and how to add a source",
            details: [
                "Without a name, one line for each account; with -k, or the name of an account or a profile such as "
                    + "@books, one for each source; with the name of a source, everything about it.",
                "“guide” explains how to write a file for another source. “check” reads such a file as the daemon "
                    + "would and reports what is wrong with it, with exit status 78.",
                "With --json, one JSON object per source.",
            ],
            options: CommandOption.ofSources,
            examples: [
                "searchctl sources",
                "searchctl sources --enabled",
                "searchctl sources kakao.book",
                "searchctl sources check recipes.dishes.json5 --try soup",
            ],
            suggestions: sources,
            run: SourcesCommand.run
        ),
        Command(
            "status",
            .run,
            summary: "how the daemon and its sources are doing",
            details: [
                "Exit status: 0 healthy, 75 a source is failing or has used up a quota, or your library can't be used or was "
                    + "damaged, 78 the latest configuration was "
                    + "refused, a source's file is wrong or no source can be asked.",
                "With --json, one document with every figure of the daemon.",
            ],
            options: CommandOption.ofStatus,
            examples: ["searchctl status", "searchctl status --json | jq .uptime"],
            run: StatusCommand.run
        ),
        Command(
            "doctor",
            .run,
            summary: "what is wrong here, and what to do about it",
            details: [
                "Checks socket, versions, configuration, keys, directories, disk, clock and units, and asks each "
                    + "source once, which costs one call of its quota (--no-try asks none).",
                "Exit status: 0 nothing fails, 69 no usable daemon, 75 a source fails or a disk is full, 77 a key is "
                    + "refused or a mode is unsafe, 78 the configuration or the clock is wrong; of several, the first "
                    + "of 69, 77, 78, 75.",
            ],
            options: CommandOption.ofDoctor,
            examples: ["searchctl doctor", "searchctl doctor --json | jq '.checks[] | select(.result != \"pass\")'"],
            run: DoctorCommand.run
        ),
        Command(
            "keys",
            .setUp,
            arguments: "[list | set | remove]",
            // A surplus word may be a key, which only the command knows not to repeat.
            wordCount: 0...Command.wordsMax,
            summary: "list, set and remove the keys of sources",
            details: [
                "“list” shows which keys are set and work, with one call per account. “set ACCOUNT” asks for the key "
                    + "without echo, or reads it from standard input, one line per secret, stores it where only you "
                    + "can read it, and tries it with one call. A key that the source refuses does not replace one that was stored before. "
                    + "“remove ACCOUNT” deletes it.",
                "For an account that can be used in several ways, name one: “set naver legacy”. A key never goes on "
                    + "the command line.",
                "Exit status: 77 the source refuses the key, 75 it is not known yet whether the key works.",
            ],
            options: CommandOption.ofKeys,
            examples: [
                "searchctl keys set kakao",
                "searchctl keys set naver legacy",
                "pass show kakao | searchctl keys set kakao",
                "searchctl keys remove kakao",
            ],
            suggestions: keys,
            run: KeysCommand.run
        ),
        Command(
            "cache",
            .seldom,
            arguments: "[stats | clear]",
            wordCount: 0...1,
            summary: "show or clear the cache",
            details: [
                "“stats” shows how full the shared cache is and how often it had the answer. “clear” removes the pages "
                    + "of a source, of a query, of both together, or all of them: those that only you have asked for "
                    + "since the daemon started; with sudo, everyone's."
            ],
            options: CommandOption.ofCache,
            examples: [
                "searchctl cache",
                "searchctl cache clear --source 'kakao.*'",
                "searchctl cache clear --query 고양이",
            ],
            suggestions: { _ in [.words([Candidate("stats", "how full it is"), Candidate("clear", "remove pages")])] },
            run: CacheCommand.run
        ),
        Command(
            "quota",
            .run,
            arguments: "NAME USED",
            wordCount: 2...2,
            summary: "correct the used count of a quota",
            details: [
                "For example after the quota ledger was damaged: “searchctl status” says so, and lists the quotas. The "
                    + "source's own web page usually says how many calls it has counted. Needs sudo for the machine's "
                    + "daemon."
            ],
            options: CommandOption.ofReport,
            examples: ["searchctl quota naver-day 12000"],
            isBrief: true,
            run: QuotaCommand.run
        ),
        Command(
            "logs",
            .run,
            summary: "the daemon's log",
            details: [
                "From the journal when systemd runs the daemon, otherwise from the file that the daemon writes when "
                    + "searchctl has started it."
            ],
            options: CommandOption.ofLogs,
            examples: ["searchctl logs -f", "searchctl logs -n 200"],
            isBrief: true,
            run: LogsCommand.run
        ),
        Command(
            "reload",
            .run,
            summary: "read configuration, sources and keys again",
            details: [
                "For root, the daemon's own user and its adminGroup. When a file is wrong, nothing changes: the error "
                    + "names file, line and key, and the exit status is 78."
            ],
            options: CommandOption.ofReport,
            examples: ["searchctl reload", "searchctl reload --socket /run/searchd/searchd.sock"],
            isBrief: true,
            run: ReloadCommand.run
        ),
        Command(
            "restart",
            .run,
            summary: "stop the daemon and start it again",
            details: [
                "Works for a daemon that searchctl has started or that systemd runs; requests in flight are finished "
                    + "first. One that was started by hand has to be started by hand again.",
                "A configuration that is wrong is reported, with exit status 78, and the daemon goes on.",
            ],
            examples: ["searchctl restart"],
            isBrief: true,
            run: RestartCommand.run
        ),
        Command(
            "stop",
            .run,
            summary: "stop the daemon",
            details: [
                "Requests in flight are finished first. A daemon that systemd runs is stopped together with its socket, "
                    + "which would start it again."
            ],
            examples: ["searchctl stop"],
            isBrief: true,
            run: StopCommand.run
        ),
        Command(
            "ping",
            .run,
            summary: "check whether the daemon answers, and how fast",
            options: CommandOption.ofReport,
            examples: ["searchctl ping", "searchctl ping --no-start || echo no daemon"],
            isBrief: true,
            run: PingCommand.run
        ),
        Command(
            "call",
            .script,
            arguments: "METHOD [PARAMS]",
            wordCount: 1...2,
            summary: "call any method of the daemon",
            details: [
                "PARAMS is JSON. Notifications are printed as they come, the result last, one JSON object per line.",
                "“call -” reads complete requests from standard input, one per line, and prints every answer. Its exit "
                    + "status is that of the first error.",
            ],
            examples: [
                #"searchctl call search '{"query":"고양이","limit":3}'"#,
                "searchctl call rpc.discover",
                "searchctl call - < requests.ndjson",
            ],
            suggestions: { $0.isEmpty ? [.methods] : [] },
            run: CallCommand.run
        ),
        Command(
            "completion",
            .script,
            arguments: "SHELL",
            wordCount: 1...1,
            summary: "completion script for bash, zsh or fish",
            details: ["Names of sources, kinds and options come from the running daemon."],
            examples: [
                "source <(searchctl completion bash)     # in ~/.bashrc",
                "source <(searchctl completion zsh)      # in ~/.zshrc, after compinit",
                "searchctl completion fish | source      # in ~/.config/fish/config.fish",
            ],
            suggestions: { _ in [.words(CompletionScript.shells.map { Candidate($0, "") })] },
            isBrief: true,
            run: CompletionCommand.run
        ),
        Command(
            "complete",
            .script,
            arguments: "-- WORD…",
            wordCount: 0...Command.wordsMax,
            summary: "what the last word could become, a line each",
            examples: ["searchctl complete -- search --so"],
            isHidden: true,
            run: CompleteCommand.run
        ),
        Command(
            "manual",
            .script,
            arguments: "PAGE",
            wordCount: 1...1,
            summary: "a manual page, for man(1)",
            examples: ["searchctl manual searchctl.1 | man -l -"],
            suggestions: { _ in [.words(ManualPage.allCases.map { Candidate($0.rawValue, "") })] },
            isHidden: true,
            run: ManualCommand.run
        ),
    ]

    @Sendable private static func keys(behind words: [String]) -> [Suggestion] {
        switch (words.first, words.count) {
        case (nil, _):
            [
                .words([
                    Candidate("list", "which work"), Candidate("set", "store one"), Candidate("remove", "delete one"),
                ])
            ]
        case ("set", 1), ("remove", 1), ("list", 1): [.keyAccounts]
        case ("set", 2), ("remove", 2): [.keyWays(account: words[1])]
        default: []
        }
    }

    @Sendable private static func sources(behind words: [String]) -> [Suggestion] {
        if words == ["check"] { return [.files] }
        guard words.isEmpty else { return [] }
        let others = [
            Candidate("guide", "how to write a file for another source"),
            Candidate("check", "report what is wrong with such a file"),
        ]
        return [.words(others), .sourceNames]
    }
}
