import RPC

/// The commands of this module, in the order of the help.
package enum CommandTable {
    package static let commands = finding + keeping + running

    private static let shownMax = HitSelection.shownMax
    private static let itemsMax = NumberText.grouped(WireBounds.libraryItemsMax)
    private static let idDetail =
        "ID is the number in front of a title, a range of numbers such as 1-3, the id of a hit, or a unique prefix of "
        + "an id"

    private static let finding = [
        Command(
            "search",
            .find,
            arguments: "QUERY…",
            wordCount: 1...Command.wordsMax,
            summary: "search one or more sources",
            details: [
                "On a terminal, each hit has two or three lines. Outside a terminal, each hit is one JSON object on "
                    + "one line. With “-” as QUERY, the query is read from standard input. Words such as "
                    + "site:example.org, since:2024-03-09 and until:2024 in QUERY filter the hits. Other signs, "
                    + "such as quotes or -word, are sent to each source unchanged.",
                "On a terminal, a search ends when its list is full, without waiting for slow sources. The last line "
                    + "names them, and “searchctl again” waits for them. A search waits for all sources if it "
                    + "runs in a pipe, or if you give --sort, or a --source that is not a profile. A source whose rate "
                    + "limit would delay the search is not asked, unless --source names it (not its profile).",
            ],
            manual: [
                "The hits of several sources are merged into one list. An item that several sources have is one hit. "
                    + "The hits are printed when the search ends. With --stream, each hit is printed as it arrives.",
                "Standard error shows progress, the number of hits, the duration and errors. Standard output has only "
                    + "hits.",
                "The number in “show 1” and the command “again” refer to the last list of this terminal, even if "
                    + "the list went to a pipe. The lists of searches with --typing or --private are not kept.",
            ],
            options: CommandOption.ofSearch,
            examples: ["searchctl search 고양이 사료", "searchctl search -s 'kakao.*' -k blog -n 30 고양이"],
            suggestions: { [.suggestions(after: $0)] },
            run: SearchCommand.run
        ),
        Command(
            "again",
            .find,
            arguments: "[N]",
            wordCount: 0...1,
            summary: "repeat the last search of this terminal",
            details: [
                "The options of the last search are used again, except --json, --format, --field, --stream, --raw and "
                    + "--explain. An option that you give replaces the same option of that search. “again N” "
                    + "repeats only the query of search N in “searchctl history”."
            ],
            options: CommandOption.ofSearch,
            examples: ["searchctl again --page 2", "searchctl again --fresh --sort recency"],
            run: AgainCommand.run
        ),
        Command(
            "open",
            .find,
            arguments: "ID|URL…",
            wordCount: 1...shownMax,
            summary: "open hits of the last list, or web addresses, in the browser",
            details: [
                "\(idDetail). You can open at most \(shownMax) hits at once.",
                "$BROWSER is the command of the browser. A text browser, such as w3m, runs in this terminal.",
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
                "\(idDetail). You can show at most \(shownMax) hits at once.",
                "For saved items, also shows the tags, the notes and the time of saving.",
                "If the source supports lookups, the source's own record of the item is shown. This uses one call of "
                    + "the source's quota, unless the record is cached. If the source supports no lookups, the hit "
                    + "of the search is shown. The line “source” says which of the two is shown. With --offline, the "
                    + "source is not asked.",
            ],
            options: CommandOption.ofShow,
            examples: ["searchctl show 1", "searchctl show 1 --raw --json | jq .raw"],
            suggestions: { _ in [.hits, .saved] },
            run: ShowCommand.run
        ),
        Command(
            "read",
            .find,
            arguments: "ID|URL",
            wordCount: 1...1,
            summary: "print the main text of a page",
            details: [
                "ID is the number in front of a title, the id of a hit, or a unique prefix of an id. URL is the "
                    + "address of any web page. Links in the text have numbers. --links prints their addresses.",
                "The exit status is 1 if the page does not exist or has no text, and 75 if the server does not answer.",
            ],
            manual: [
                "The daemon fetches and caches the page. It fetches at most one page per second from each host. The "
                    + "program searchd-reader finds the main text. It has no access to files or the network."
            ],
            options: CommandOption.ofRead,
            examples: ["searchctl read 1", "searchctl read https://example.org/ --markdown"],
            suggestions: { _ in [.hits, .saved] },
            run: ReadCommand.run
        ),
        SuggestCommand.command,
        Command(
            "history",
            .find,
            arguments: "[PREFIX | remove N | clear [QUERY]]",
            wordCount: 0...Command.wordsMax,
            summary: "list your searches, the latest first",
            details: [
                "PREFIX is the beginning of a query or of one of its words. It may be initials (ㄱㅇㅇ), or typed in the "
                    + "wrong keyboard layout. “clear QUERY” removes all searches for this query. “remove N” does "
                    + "the same for the query of line N. “clear” removes everything. Without --yes, “remove N” and "
                    + "“clear” ask first.",
                "Removed queries stay in the shared cache. They are erased from your files: a new backup of your "
                    + "library replaces all backups, and a damaged file that “searchctl status” lists is removed. If "
                    + "there is such a file, “clear QUERY” asks first, too.",
                "Searches on a terminal are recorded, even if they find nothing. Searches in a pipe or with --typing, "
                    + "--no-history or --private are not recorded. The line “고양이 in @books” means a search for "
                    + "고양이 with --source @books.",
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
            arguments: "ID|URL…",
            wordCount: 1...WireBounds.libraryItemsMax,
            summary: "save hits or pages in your library",
            details: [
                "\(idDetail). You can save at most \(itemsMax) items at once. URL is the address of a page. The page "
                    + "is saved with its title and description. Items that are already saved get the new tags and the "
                    + "note.",
                "All your programs can read your library. Other users can't.",
            ],
            options: CommandOption.ofSave,
            examples: ["searchctl save 1", "searchctl save 1-3 https://example.org/ --tag 읽을것"],
            suggestions: { _ in [.hits] },
            run: SaveCommand.run
        ),
        Command(
            "unsave",
            .keep,
            arguments: "ID… | --undo",
            wordCount: 0...WireBounds.libraryItemsMax,
            summary: "remove items from your library; --undo saves them again",
            details: ["\(idDetail). You can remove at most \(itemsMax) items at once."],
            manual: [
                "--undo saves the items that you removed last, with their notes, tags and times. With --json, unsave "
                    + "prints the removed items in the format of “searchctl library import”."
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
            summary: "add a note or a rating to a saved item",
            details: [
                "If TEXT, --rating and --title are all missing, the text is read from standard input. An empty TEXT "
                    + "removes the latest note and prints this note."
            ],
            options: CommandOption.ofNote,
            examples: [
                "searchctl note 1 나중에 다시 읽기 --rating 4", "searchctl note 1 <review.txt",
            ],
            suggestions: { $0.isEmpty ? [.hits, .saved] : [] },
            isBrief: true,
            run: NoteCommand.run
        ),
        Command(
            "tag",
            .keep,
            arguments: "ID [WORD…]",
            wordCount: 1...Command.wordsMax,
            summary: "add tags to a saved item, or remove some",
            details: [
                "WORD is one tag, or several with commas between them. Write “\\,” for a comma within a tag. The case "
                    + "of tags does not matter. ID may be a range such as 1-3, of at most \(itemsMax) items."
            ],
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
            summary: "list your saved items",
            details: [
                "After “searchctl library”, “show 1” and “note 1” mean item 1 of the printed list.",
                "“export” prints all items, or the items that the options select. The default format, ndjson, has all "
                    + "data. Other formats are csv, markdown and html (browser bookmarks).",
                "“import” saves the items of FILE: an ndjson file, a CSV file, the bookmark file of a browser, or “-” "
                    + "for standard input. Items that are already saved get the tags and notes that they "
                    + "lack. Lines that are not valid are left out: the exit status is then 3, or 1 if no line is valid.",
                "“refresh ID” looks up saved items again at their sources. Without ID, it looks up all items. The "
                    + "daemon waits until the sources have enough unused quota.",
                "“backup” makes a copy of your library now. The daemon makes a copy every day. Two copies are kept.",
            ],
            manual: [
                "The first line of CSV has the names of the columns: title, author, url, published, kind, tags, "
                    + "rating, note title, note, saved, snippet, thumbnail, extra, id. The column names of some other "
                    + "programs are accepted, and so are 제목, 주소, 링크, 메모, 평점 and 태그. Unknown columns are ignored. "
                    + "Commas separate tags. An item with several notes has one row per note. If a spreadsheet would "
                    + "read a text as a formula, the export adds an apostrophe.",
                "In ndjson, each line is one JSON object: an item of an export, or a hit of “search --json”.",
                "The folders of bookmarks become tags. An item without an id gets an id that is made from its address. "
                    + "Its source is \(LibraryEntry.importedSource).",
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
            summary: "list the sources, or explain how to add one",
            details: [
                "Without NAME, groups the sources by account. An account is a provider such as kakao, with one or more "
                    + "sources. If NAME is an account or a profile (@books), lists its sources. If NAME is a source, "
                    + "prints the state, quotas and options of the source.",
                "“guide” explains how to write a source file. “check” prints the errors in such a file. If there are "
                    + "errors, the exit status is 78.",
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
                "Exit status: 0 if nothing is wrong; 75 if a source fails, a quota is used up, this machine seems to "
                    + "be offline, or your library can't be used; 78 if a reload was refused, a source file is wrong, or "
                    + "no source can be asked.",
                "With --json, prints one document with all metrics of the daemon. “searchctl cache” shows and clears the "
                    + "cache.",
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
                "Checks the socket, versions, configuration, keys, directories, disk, clock and units. Also calls one "
                    + "source of each account, which uses one call of the account's quota. Reports the known failures "
                    + "of the other sources. Never calls paid sources, or accounts with a quota of at most 1,000 "
                    + "calls. With --no-try, calls no source.",
                "Exit status: 0 if nothing fails; 69 without a usable daemon; 77 if a key is refused or a directory "
                    + "can't be used; 78 if the configuration, the mode of its files or the clock is wrong; 75 if a "
                    + "source fails or a disk is full. If several apply, the first of 69, 77, 78 and 75 is used.",
            ],
            options: CommandOption.ofDoctor,
            examples: ["searchctl doctor", "searchctl doctor --json | jq '.checks[] | select(.result != \"pass\")'"],
            run: DoctorCommand.run
        ),
        Command(
            "keys",
            .setUp,
            arguments: "[list | set | remove]",
            // If the parser refused an extra word, its error would print the word. The word may be a key.
            wordCount: 0...Command.wordsMax,
            summary: "list, set and remove the keys of sources",
            details: [
                "“list” shows which keys are set, and tests them with one call per account. Keys of paid accounts, and "
                    + "of accounts with a quota of at most 1,000 calls, are tested only if you give the account: “list "
                    + "brave”. “set ACCOUNT” asks for a key without echo, stores it where only you can read it, and "
                    + "tests it with one call. In a pipe, “set” reads one line per secret from standard input. If the "
                    + "source refuses the new key, the previous key is kept. “remove ACCOUNT” deletes a key. On a "
                    + "terminal, it asks first, except with --yes.",
                "If an account accepts several kinds of keys, add the kind: “set naver legacy”. Never write a key on "
                    + "the command line.",
                "Exit status: 77 if the source refuses the key; 75 if the test of the key failed for another reason.",
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
                "“stats” shows the size and the hit rate of the shared cache. “clear” removes all pages, or the pages "
                    + "of a source or a query. Only root, the daemon's user and members of adminGroup may clear the "
                    + "cache."
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
            summary: "list the quotas and the money spent, or correct a quota",
            details: [
                "NAME is a quota or an account. USED is a number of calls, or an amount of money. If “searchctl "
                    + "status” reports that the quota ledger was damaged, correct the quotas. The website of the "
                    + "source usually shows the correct number. Each quota is corrected separately, such as brave-day "
                    + "and brave-month. If USED is lower than the current number, the command asks first, except with "
                    + "--yes. To correct a quota of the system's daemon, use sudo."
            ],
            options: [.yes] + CommandOption.ofReport,
            examples: ["searchctl quota", "searchctl quota naver-day 12000", "searchctl quota brave-day 0.25 --yes"],
            suggestions: { $0.isEmpty ? [.quotas] : [] },
            isBrief: true,
            run: QuotaCommand.run
        ),
        Command(
            "logs",
            .run,
            summary: "show the daemon's log",
            details: ["If systemd runs the daemon, prints the journal. Otherwise prints the log file."],
            options: CommandOption.ofLogs,
            examples: ["searchctl logs -f", "searchctl logs -n 200"],
            isBrief: true,
            run: LogsCommand.run
        ),
        Command(
            "reload",
            .run,
            summary: "reload configuration, sources and keys",
            details: [
                "If a file is wrong, nothing changes, and the exit status is 78. The error has the file, the line and "
                    + "the setting. Only root, the daemon's user and members of adminGroup may reload."
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
                "Works for a daemon that searchctl or systemd started. The daemon answers its current requests first. "
                    + "If the configuration is wrong, a running daemon keeps running, and the exit status is 78."
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
                "The daemon answers its current requests first. A systemd service is stopped together with its socket."
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
                "PARAMS is JSON. Prints one JSON object per line: the notifications as they arrive, then the result. A "
                    + "search is recorded in the history only if PARAMS has \"history\":true.",
                "“call -” reads requests from standard input, one per line. It sends them unchanged, and prints all "
                    + "answers. With “-”, searches without \"history\" are recorded, except private searches and "
                    + "searches on a channel. If some answers are errors, the exit status is that of the first error.",
            ],
            examples: [#"searchctl call search '{"query":"고양이","limit":3}'"#, "searchctl call - < requests.ndjson"],
            suggestions: { $0.isEmpty ? [.methods] : [] },
            run: CallCommand.run
        ),
        WebCommand.command,
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
            Candidate("list", "show which keys work"), Candidate("set", "store a key"),
            Candidate("remove", "delete a key"),
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
