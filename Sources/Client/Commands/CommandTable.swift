/// Every command there is, in the order of the help.
package enum CommandTable {
    package static let commands = [
        Command(
            "search",
            arguments: "QUERY…",
            wordCount: 1...Command.wordsMax,
            summary: "find something, in one source or in many",
            details: [
                "On a terminal two lines for each hit; elsewhere one JSON object per line, in the same order."
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
            run: SearchCommand.run
        ),
        Command(
            "again",
            summary: "the last search of this terminal once more",
            details: ["Options given now take the place of those given then."],
            options: CommandOption.ofSearch,
            examples: ["searchctl again --page 2", "searchctl again --fresh --sort recency"],
            run: AgainCommand.run
        ),
        Command(
            "open",
            arguments: "ID…",
            wordCount: 1...HitSelection.hitsMax,
            summary: "hits of that search in the browser",
            details: [
                "ID is the number in front of a title, several as 1-3, or a hit's id or its unique beginning.",
                "$BROWSER names the browser; one for the terminal, such as w3m, takes it over.",
            ],
            options: [.print],
            examples: ["searchctl open 1", "searchctl open 1-3 5", "searchctl open 2 --print"],
            suggestions: { _ in [.hits] },
            run: OpenCommand.run
        ),
        Command(
            "show",
            arguments: "ID…",
            wordCount: 1...HitSelection.hitsMax,
            summary: "all that is known of a hit of that search",
            details: ["ID is the number in front of a title, several as 1-3, or a hit's id or its unique beginning."],
            options: [.json, .plain, .format, .field],
            examples: ["searchctl show 1", "searchctl show 2 --field extra.isbn13"],
            suggestions: { _ in [.hits] },
            run: ShowCommand.run
        ),
        Command(
            "sources",
            arguments: "[NAME | guide | check FILE]",
            wordCount: 0...2,
            summary: "what can be searched; how to add a source",
            details: [
                "With NAME everything about one source. “guide” tells how to write a file for another one;",
                "“check” reads such a file as the daemon would and tells what is wrong with it: exit 0, or 78.",
            ],
            options: CommandOption.ofSources,
            examples: [
                "searchctl sources",
                "searchctl sources kakao.book",
                "searchctl sources check recipes.dishes.json5 --try soup",
            ],
            suggestions: sources,
            run: SourcesCommand.run
        ),
        Command(
            "status",
            summary: "how the daemon and its sources are doing",
            details: [
                "Exit status: 0 healthy, 75 a source is failing or has used up a quota, 78 the file of a source is",
                "wrong or none can be asked. With --json one document of all that the daemon says.",
            ],
            options: CommandOption.ofStatus,
            examples: ["searchctl status", "searchctl status --json | jq .uptime"],
            run: StatusCommand.run
        ),
        Command(
            "top",
            summary: "the daemon live: rates, sources, quotas",
            details: ["It takes the whole terminal and looks again each second; q quits."],
            examples: ["searchctl top"],
            run: TopCommand.run
        ),
        Command(
            "doctor",
            summary: "what is wrong here, and what to do",
            details: [
                "Checks socket, versions, configuration, keys, directories, disk, clock, units, and asks each",
                "source once, which costs one call of its quota (--no-try asks none). One line a check.",
                "Exit status: 0 nothing fails, 69 no usable daemon, 75 a source fails or a disk is full, 77 a",
                "key is refused or a mode is unsafe, 78 the configuration or the clock is wrong; of several",
                "the first of 69, 77, 78, 75.",
            ],
            options: CommandOption.ofDoctor,
            examples: ["searchctl doctor", "searchctl doctor --json | jq '.checks[] | select(.result != \"pass\")'"],
            run: DoctorCommand.run
        ),
        Command(
            "keys",
            arguments: "[list | set | remove]",
            // A surplus word may be a key, which only the command knows not to repeat.
            wordCount: 0...Command.wordsMax,
            summary: "the keys of sources: see, set, remove",
            details: [
                "“list” tells which are there and work, for one call of each account. “set ACCOUNT” asks for",
                "its key without echo, or reads it from standard input, a line a secret, stores it where only",
                "you can read it, and tries it with one call. “remove ACCOUNT” forgets it. An account that can",
                "be used in several ways is told which: “set naver legacy”. Never a key on the command line.",
                "Exit status: 77 a source refuses the key, 75 whether it works is not known yet.",
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
            arguments: "[stats | clear]",
            wordCount: 0...1,
            summary: "what is cached; forget it",
            details: [
                "“stats” tells how full the shared cache is and how often it was of use; “clear” forgets the pages",
                "of a source, of a query, of both together, or all of them, for every client.",
            ],
            options: CommandOption.ofCache,
            examples: [
                "searchctl cache",
                "searchctl cache clear --source 'kakao.*'",
                "searchctl cache clear --query 고양이",
            ],
            suggestions: { _ in [.words([Candidate("stats", "how full it is"), Candidate("clear", "forget pages")])] },
            run: CacheCommand.run
        ),
        Command(
            "reload",
            summary: "read configuration, sources and keys again",
            details: [
                "For root, the daemon's own user and its adminGroup. When a file is wrong nothing changes,",
                "the error names file, line and key, and the exit status is 78.",
            ],
            options: [.json, .plain],
            examples: ["searchctl reload", "searchctl reload --socket /run/searchd/searchd.sock"],
            run: ReloadCommand.run
        ),
        Command(
            "ping",
            summary: "whether the daemon answers, and how fast",
            options: [.json, .plain],
            examples: ["searchctl ping", "searchctl ping --no-start || echo no daemon"],
            run: PingCommand.run
        ),
        Command(
            "call",
            arguments: "METHOD [PARAMS]",
            wordCount: 1...2,
            summary: "call any method of the daemon, for scripts",
            details: [
                "PARAMS is JSON. Notifications are printed as they come, the result last, one a line.",
                "“call -” reads complete requests from standard input, one a line, and prints every answer.",
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
            arguments: "SHELL",
            wordCount: 1...1,
            summary: "the script that completes words in a shell",
            details: [
                "SHELL is bash, zsh or fish. Names of sources, kinds and options come from the running daemon."
            ],
            examples: [
                "source <(searchctl completion bash)     # in ~/.bashrc",
                "source <(searchctl completion zsh)      # in ~/.zshrc, behind compinit",
                "searchctl completion fish | source      # in ~/.config/fish/config.fish",
            ],
            suggestions: { _ in [.words(CompletionScript.shells.map { Candidate($0, "") })] },
            run: CompletionCommand.run
        ),
        Command(
            "complete",
            arguments: "-- WORD…",
            wordCount: 0...Command.wordsMax,
            summary: "what the last word could become, a line each",
            examples: ["searchctl complete -- search --so"],
            isHidden: true,
            run: CompleteCommand.run
        ),
        Command(
            "manual",
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
                    Candidate("list", "which work"), Candidate("set", "store one"), Candidate("remove", "forget one"),
                ])
            ]
        case ("set", 1), ("remove", 1): [.accounts]
        default: []
        }
    }

    @Sendable private static func sources(behind words: [String]) -> [Suggestion] {
        if words == ["check"] { return [.files] }
        guard words.isEmpty else { return [] }
        let others = [
            Candidate("guide", "how to write a file for another source"),
            Candidate("check", "what is wrong with such a file"),
        ]
        return [.words(others), .sourceNames]
    }
}
