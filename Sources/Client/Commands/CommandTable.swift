import RPC

/// Every command but those of other modules, in the order of the help.
package enum CommandTable {
    package static let commands = finding + keeping + running

    private static let shownMax = HitSelection.shownMax
    private static let itemsMax = FigureText.grouped(WireBounds.libraryItemsMax)
    private static let idDetail =
        "ID is the number in front of a title, several as 1-3, or the id of a hit or its unique beginning"

    private static let finding = [
        Command(
            "search",
            .find,
            arguments: "QUERY…",
            wordCount: 1...Command.wordsMax,
            summary: "find something, in one source or in many",
            details: [
                "On a terminal, two or three lines for each hit; elsewhere one JSON object per line, in the same order. "
                    + "With “-” as QUERY, it is read from standard input. Words such as site:example.org, "
                    + "since:2024-03-09 and until:2024 filter the hits, like the options."
            ],
            manual: [
                "The hits of several sources are merged into one list; the same item of several sources is one hit. "
                    + "Hits are printed when all sources have answered, or with --stream as they come.",
                "On a terminal, a search with a full list does not wait for a source that takes much longer than usual. The "
                    + "last line names it, and “searchctl again” has its hits. A program gets the hits of all sources.",
                "Standard error shows progress, how many hits there are, how long it took, and what failed. Standard output "
                    + "has only hits.",
            ],
            options: CommandOption.ofSearch,
            examples: ["searchctl search 고양이 사료", "searchctl search -s 'kakao.*' -k blog -n 30 고양이"],
            suggestions: { [.suggestions(after: $0)] },
            run: SearchCommand.run
        ),
        Command(
            "again",
            .find,
            summary: "repeat the last search of this terminal",
            details: ["Options replace those of that search."],
            options: CommandOption.ofSearch,
            examples: ["searchctl again --page 2", "searchctl again --fresh --sort recency"],
            run: AgainCommand.run
        ),
        Command(
            "open",
            .find,
            arguments: "ID…",
            wordCount: 1...shownMax,
            summary: "open hits of the last search in the browser",
            details: [
                "\(idDetail); \(shownMax) at most.",
                "$BROWSER names the browser; one for the terminal, such as w3m, takes over the terminal.",
            ],
            options: [.print],
            examples: ["searchctl open 1", "searchctl open 1-3 5"],
            suggestions: { _ in [.hits] },
            run: OpenCommand.run
        ),
        Command(
            "show",
            .find,
            arguments: "ID…",
            wordCount: 1...shownMax,
            summary: "show details of a hit: description, price, rating",
            details: [
                "\(idDetail); \(shownMax) at most.",
                "For saved items it also shows the time, tags and notes.",
                "A source that has a lookup is asked for its own record, which costs a call of its quota and is cached. "
                    + "For other sources, and with --offline, it shows what searches have found. The last line says which.",
            ],
            options: CommandOption.ofShow,
            examples: ["searchctl show 1", "searchctl show 1 --raw --json | jq .raw"],
            suggestions: { _ in [.hits, .saved] },
            run: ShowCommand.run
        ),
        SuggestCommand.command,
        Command(
            "history",
            .find,
            arguments: "[PREFIX | clear [QUERY]]",
            wordCount: 0...Command.wordsMax,
            summary: "list your searches, the latest first",
            details: [
                "PREFIX is the beginning of a query or of one of its words, also as initials (ㄱㅇㅇ) or in the other keyboard "
                    + "layout. “clear” removes all queries, or one, and every trace of it from your files. It asks before "
                    + "it removes all, unless --yes is given.",
                "A search is recorded one second later, or when one of its hits is looked up or saved. With --private it is "
                    + "never recorded.",
            ],
            options: CommandOption.ofHistory,
            examples: ["searchctl history", "searchctl history ㄱㅇㅇ", "searchctl history clear 고양이 사료"],
            suggestions: HistoryCommand.suggestions,
            isBrief: true,
            run: HistoryCommand.run
        ),
    ]

    private static let keeping = [
        Command(
            "save",
            .keep,
            arguments: "ID…",
            wordCount: 1...WireBounds.libraryItemsMax,
            summary: "save hits in your library",
            details: [
                "\(idDetail); \(itemsMax) at most. Items that are already saved only get the tags and the note.",
                "All your programs see your library; other users do not.",
            ],
            options: CommandOption.ofSave,
            examples: ["searchctl save 1", "searchctl save 1-3 --tag 읽을것"],
            suggestions: { _ in [.hits] },
            run: SaveCommand.run
        ),
        Command(
            "unsave",
            .keep,
            arguments: "ID… | --undo",
            wordCount: 0...WireBounds.libraryItemsMax,
            summary: "remove items from your library; --undo saves them again",
            details: ["\(idDetail); \(itemsMax) at most."],
            manual: [
                "--undo saves the last removed items of this session again, with its notes, tags and times. With --json, "
                    + "unsave prints the items, which “searchctl library import” reads."
            ],
            options: CommandOption.ofUnsave,
            examples: ["searchctl unsave 2", "searchctl unsave --undo"],
            suggestions: { _ in [.hits, .saved] },
            isBrief: true,
            run: UnsaveCommand.run
        ),
        Command(
            "note",
            .keep,
            arguments: "ID [TEXT…]",
            wordCount: 1...Command.wordsMax,
            summary: "write a note on a saved item, or rate it",
            details: [
                "Without a text, rating or title, the text is read from standard input. An empty text, “note 1 ''”, removes "
                    + "the latest note."
            ],
            options: CommandOption.ofNote,
            examples: [
                "searchctl note 1 나중에 다시 읽기 --rating 4", "searchctl note 1 <review.txt",
            ],
            suggestions: { $0.isEmpty ? [.hits, .saved] : [] },
            run: NoteCommand.run
        ),
        Command(
            "tag",
            .keep,
            arguments: "ID [WORD…]",
            wordCount: 1...Command.wordsMax,
            summary: "add tags to a saved item, or remove some",
            details: ["Case does not matter in tags. For several items, write 1-3, \(itemsMax) at most."],
            options: CommandOption.ofTag,
            examples: ["searchctl tag 1 읽을것 여름", "searchctl tag 1 --remove 여름"],
            suggestions: { $0.isEmpty ? [.hits, .saved] : [.tags] },
            isBrief: true,
            run: TagCommand.run
        ),
        Command(
            "library",
            .keep,
            arguments: "[export | import FILE | refresh [ID…] | backup]",
            wordCount: 0...Command.wordsMax,
            summary: "list what you have saved",
            details: [
                "From then on, “show 1” and “note 1” mean the numbers of this list.",
                "“export” prints all items, or a selection: as ndjson with everything, as csv, markdown, "
                    + "or html, the bookmark file of browsers; books as bibtex.",
                "“import” saves the items of a file, or of standard input (-): ndjson, CSV, or a browser's bookmark file. "
                    + "Importing a file twice changes nothing.",
                "“refresh” looks items up again, all without ID, when their sources have quota to spare.",
                "“backup” makes a copy of your file now; the daemon makes one every day, and keeps two.",
            ],
            manual: [
                "The first line of CSV names the columns: title, author, url, published, kind, tags, rating, note title, "
                    + "note, saved, snippet, thumbnail, extra, id, or the names of other programs for them, also 제목, 주소, "
                    + "링크, 메모, 평점 and 태그. Other columns are ignored. An item with several notes has a row for each. A "
                    + "text that a spreadsheet would read as a formula gets an apostrophe. Tags are separated by commas.",
                "A line of ndjson is an item of an export, or a hit that search prints with --json.",
                "The folders of bookmarks become tags. An item without an id gets one from its address, with the source "
                    + "\(LibraryEntry.importedSource).",
            ],
            options: CommandOption.ofLibrary,
            examples: [
                "searchctl library -q ㄱㅇㅇ --group-by genre", "searchctl library export >library.ndjson",
                "searchctl library import bookmarks.html",
            ],
            suggestions: LibraryCommand.suggestions,
            run: LibraryCommand.run
        ),
    ]

    private static let running = [
        SetupCommand.command,
        Command(
            "sources",
            .setUp,
            arguments: "[NAME | guide | check FILE]",
            wordCount: 0...2,
            summary: "list what can be searched; explain how to add a source",
            details: [
                "Without a name, one line for each account; with -k, or the name of an account or a profile such as "
                    + "@books, one for each source; with the name of a source, everything about it.",
                "“guide” explains how to write a file for another source. “check” reads such a file and reports its "
                    + "errors, with exit status 78.",
            ],
            options: CommandOption.ofSources,
            examples: ["searchctl sources", "searchctl sources check recipes.dishes.json5 --try soup"],
            suggestions: sources,
            run: SourcesCommand.run
        ),
        Command(
            "status",
            .run,
            summary: "show the health of the daemon and its sources",
            details: [
                "Exit status: 0 healthy, 75 a source fails or has used up a quota, or your library can't be used, 78 the "
                    + "latest configuration was refused, a source file is wrong, or no source can be asked.",
                "With --json, one document with every figure of the daemon.",
            ],
            options: CommandOption.ofStatus,
            examples: ["searchctl status", "searchctl status --json | jq .uptime"],
            run: StatusCommand.run
        ),
        Command(
            "doctor",
            .run,
            summary: "find problems, and print what to do about them",
            details: [
                "Checks socket, versions, configuration, keys, directories, disk, clock and units, and asks each "
                    + "source once, which costs one call of its quota (--no-try asks none).",
                "Exit status: 0 nothing fails, 69 no usable daemon, 75 a source fails or a disk is full, 77 a key is "
                    + "refused or a mode is unsafe, 78 the configuration or the clock is wrong; the first of 69, 77, 78, 75.",
            ],
            options: CommandOption.ofDoctor,
            examples: ["searchctl doctor", "searchctl doctor --json | jq '.checks[] | select(.result != \"pass\")'"],
            run: DoctorCommand.run
        ),
        Command(
            "keys",
            .setUp,
            arguments: "[list | set | remove]",
            // A surplus word may be a key, which the parser would repeat.
            wordCount: 0...Command.wordsMax,
            summary: "list, set and remove the keys of sources",
            details: [
                "“list” shows which keys are set and work, with one call per account. “set ACCOUNT” asks for the key "
                    + "without echo, or reads it from standard input, one line per secret, stores it where only you "
                    + "can read it, and tries it with one call. A refused key does not replace a stored one. “remove "
                    + "ACCOUNT” deletes it.",
                "For an account that can be used in several ways, name one: “set naver legacy”. Never write a key on the "
                    + "command line.",
                "Exit status: 77 the source refuses the key, 75 it is not known yet whether the key works.",
            ],
            options: CommandOption.ofKeys,
            examples: ["searchctl keys set kakao", "pass show kakao | searchctl keys set kakao"],
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
                "“stats” shows the size and the hit rate of the shared cache. “clear” removes the pages of a source, of a "
                    + "query, or all; only root, the daemon's own user and its adminGroup may do that."
            ],
            options: CommandOption.ofCache,
            examples: ["searchctl cache", "searchctl cache clear --source 'kakao.*'"],
            suggestions: { _ in [.words([Candidate("stats", "size and hit rate"), Candidate("clear", "remove pages")])]
            },
            run: CacheCommand.run
        ),
        Command(
            "quota",
            .run,
            arguments: "[NAME [USED]]",
            wordCount: 0...2,
            summary: "list the quotas, or correct the used count of one",
            details: [
                "A correction helps after the quota ledger was damaged, which “searchctl status” reports. The source's own "
                    + "web page usually shows how many calls it has counted. Needs sudo for the machine's daemon."
            ],
            options: CommandOption.ofReport,
            examples: ["searchctl quota", "searchctl quota naver-day 12000"],
            isBrief: true,
            run: QuotaCommand.run
        ),
        Command(
            "logs",
            .run,
            summary: "show the daemon's log",
            details: ["From the journal when systemd runs the daemon, otherwise from its log file."],
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
            examples: ["searchctl reload"],
            isBrief: true,
            run: ReloadCommand.run
        ),
        Command(
            "restart",
            .run,
            summary: "stop the daemon and start it again",
            details: [
                "Works for a daemon that searchctl has started or that systemd runs. Requests in flight are finished "
                    + "first. With a wrong configuration, the daemon keeps running and the exit status is 78."
            ],
            examples: ["searchctl restart"],
            isBrief: true,
            run: RestartCommand.run
        ),
        Command(
            "stop",
            .run,
            summary: "stop the daemon",
            details: ["Requests in flight are finished first. A systemd service is stopped together with its socket."],
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
                "“call -” reads requests from standard input, one per line, and prints every answer. Its exit status is "
                    + "that of the first error.",
            ],
            examples: [#"searchctl call search '{"query":"고양이","limit":3}'"#, "searchctl call - < requests.ndjson"],
            suggestions: { $0.isEmpty ? [.methods] : [] },
            run: CallCommand.run
        ),
        Command(
            "completion",
            .script,
            arguments: "SHELL",
            wordCount: 1...1,
            summary: "print the completion script for bash, zsh or fish",
            examples: [
                "source <(searchctl completion bash)     # in ~/.bashrc",
                "source <(searchctl completion zsh)      # in ~/.zshrc, after compinit",
                "searchctl completion fish | source      # in ~/.config/fish/config.fish",
            ],
            suggestions: { _ in [.words(CompletionCommand.shells.map { Candidate($0, "") })] },
            isBrief: true,
            run: CompletionCommand.run
        ),
        Command(
            "complete",
            .script,
            arguments: "-- WORD…",
            wordCount: 0...Command.wordsMax,
            summary: "print the candidates for the last word",
            examples: ["searchctl complete -- search --so"],
            isHidden: true,
            run: CompleteCommand.run
        ),
        Command(
            "manual",
            .script,
            arguments: "PAGE",
            wordCount: 1...1,
            summary: "print a manual page, for man(1)",
            examples: ["searchctl manual searchctl.1 | man -l -"],
            suggestions: { _ in [.words(ManualPage.allCases.map { Candidate($0.rawValue, "") })] },
            isHidden: true,
            run: ManualCommand.run
        ),
    ]

    @Sendable private static func keys(behind words: [String]) -> [Suggestion] {
        if words.count == 1 { return [.keyAccounts] }
        let actions = [
            Candidate("list", "which work"), Candidate("set", "store one"), Candidate("remove", "delete one"),
        ]
        return words.isEmpty ? [.words(actions)] : []
    }

    @Sendable private static func sources(behind words: [String]) -> [Suggestion] {
        if words == ["check"] { return [.files] }
        let others = [
            Candidate("guide", "how to write a file for another source"),
            Candidate("check", "report the errors in such a file"),
        ]
        return words.isEmpty ? [.words(others), .sourceNames] : []
    }
}
