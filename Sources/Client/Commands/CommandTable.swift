/// Every command there is, in the order of the help.
package enum CommandTable {
    package static let commands = [
        Command(
            "search",
            arguments: "QUERY…",
            wordCount: 1...Command.wordsMax,
            summary: "find something, in one source or in many",
            details: [
                "On a terminal it prints titles, snippets and links, merged into one list; elsewhere one JSON hit",
                "a line, as it comes: of the first page, up to --limit hits of each source.",
                "Exit status: 0 found, 1 nothing found, 2 wrong usage, 3 a source failed and --strict was given,",
                "69 no daemon, 70 defect, 75 try again later, 77 not allowed, 78 not configured, 130 interrupted.",
            ],
            options: CommandOption.ofSearch,
            examples: [
                "searchctl search 고양이 사료",
                "searchctl search -s 'kakao.*' -k blog -n 30 고양이",
                "searchctl search --json --fresh 고양이 | jq -r .url",
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
            arguments: "N…",
            wordCount: 1...OpenCommand.hitsMax,
            summary: "hits of that search in the browser",
            details: ["N is the number in front of a title, or the id of a hit. $BROWSER says which browser."],
            examples: ["searchctl open 1", "searchctl open 2 3"],
            run: OpenCommand.run
        ),
        Command(
            "show",
            arguments: "N…",
            wordCount: 1...OpenCommand.hitsMax,
            summary: "all that is known of a hit of that search",
            options: [.json, .plain, .format, .field],
            examples: ["searchctl show 1", "searchctl show 2 --field extra.isbn13"],
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
            wordCount: 0...3,
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
            run: CacheCommand.run
        ),
        Command(
            "reload",
            summary: "read configuration, sources and keys again",
            details: [
                "For root, the daemon's own user and its adminGroup. When a file is wrong nothing changes,",
                "the error names the place, and the exit status is 78.",
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
            run: CallCommand.run
        ),
    ]
}
