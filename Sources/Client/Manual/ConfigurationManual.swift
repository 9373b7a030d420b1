/// searchd.conf(5).
package enum ConfigurationManual {
    /// Every key; of one within others, the path to it.
    package static let keys = [
        ManualEntry(
            "socket",
            "(path)",
            "Where to listen when neither --socket nor $SEARCHD_SOCKET says it; default: as searchd(8) tells."
        ),
        ManualEntry(
            "stateDirectory",
            "(path)",
            "For what must last; default: systemd's $STATE_DIRECTORY, else $XDG_STATE_HOME/searchd."
        ),
        ManualEntry(
            "cacheDirectory",
            "(path)",
            "For what may be lost; default: systemd's $CACHE_DIRECTORY, else $XDG_CACHE_HOME/searchd."
        ),
        ManualEntry(
            "defaultSources",
            "(list of names, globs, accounts and profiles)",
            "What a search asks that names no source; a list within the list stands for its first element that can be "
                + "asked; default: [\"@default\"]."
        ),
        ManualEntry(
            "profiles",
            "(object)",
            "By a name that begins with @ a group of sources, written as defaultSources is, or as { about, sources }: "
                + "profiles: { \"@work\": [\"naver.news\", \"@books\"] }. One of the name of a built-in profile replaces "
                + "it; {language} in a source's name, as in \"wikipedia.{language}\", is the language of the query; "
                + "default: the built-in profiles, which \u{201C}searchctl call source/list\u{201D} lists."
        ),
        ManualEntry(
            "sourceDirectories",
            "(list of paths)",
            "Where else source files are read from, beside the directory sources.d next to the configuration; "
                + "default: none."
        ),
        ManualEntry(
            "allowedHosts",
            "(list of hosts, at most 100)",
            "Hosts that source files may ask although they are not public, or by http; default: none."
        ),
        ManualEntry(
            "accounts",
            "(object)",
            "By the name of an account its secrets and settings, of which ACCOUNTS tells; default: no keys."
        ),
        ManualEntry(
            "sources",
            "(object)",
            "By the name of a source how it is to differ from its file; default: not at all."
        ),
        ManualEntry(
            "sources.NAME.enabled",
            "(true or false)",
            "Whether it may be asked; default: true."
        ),
        ManualEntry(
            "sources.NAME.ttl",
            "(time, as \"30m\")",
            "How long its answers are kept; default: what its file says."
        ),
        ManualEntry(
            "sources.NAME.weight",
            "(number from 0.01 to 100)",
            "Moves its hits up or down among those of others; default: 1."
        ),
        ManualEntry(
            "sources.NAME.baseURL",
            "(URL)",
            "Sends its requests elsewhere, to a proxy or the sandbox; default: the baseURL of its account."
        ),
        ManualEntry(
            "sources.NAME.limits",
            "(object)",
            "How it may be asked; what its file says holds for what is not given here."
        ),
        ManualEntry(
            "sources.NAME.limits.perSecond",
            "(number from 0.001 to 10000)",
            "How often a second; default: its file's."
        ),
        ManualEntry("sources.NAME.limits.perDay", "(whole number from 1)", "How often a day; default: its file's."),
        ManualEntry(
            "sources.NAME.limits.concurrency",
            "(whole number from 1 to 256)",
            "How many calls at a time; default: its file's."
        ),
        ManualEntry("memory", "(object)", "What may be kept in memory."),
        ManualEntry(
            "memory.cacheBytes",
            "(size, as \"64MiB\")",
            "How large the cache in memory may become; at least 1MiB; default: 64MiB."
        ),
        ManualEntry("disk", "(object)", "What may be kept on disk, in the cache directory."),
        ManualEntry(
            "disk.cacheBytes",
            "(size, as \"256MiB\", or \"0\" for none)",
            "How large the cache on disk may become; at least 1MiB; default: 256MiB."
        ),
        ManualEntry("log", "(object)", "What the log is to hold."),
        ManualEntry(
            "log.level",
            "(error, warning, notice, info or debug)",
            "The least important lines that are written; debug also writes what is searched for; default: info."
        ),
        ManualEntry("log.slowRequest", "(time)", "A request that takes longer gets a line; default: 1s."),
        ManualEntry(
            "idleExit",
            "(time, at least 1s)",
            "After how long without clients a daemon whose socket systemd holds ends, to come back with the next "
                + "connection; default: never."
        ),
        ManualEntry(
            "adminGroup",
            "(name of a group)",
            "Its members may reload the daemon, beside root and the daemon's own user; PrivateUsers=yes of the "
                + "system's unit must be taken back for it. Default: none."
        ),
    ]

    /// The accounts of the sources that the daemon brings, with their secrets and settings.
    package static let accounts = [
        ManualEntry("kakao", "(key)", "Kakao and Daum: the REST API key of an application."),
        ManualEntry(
            "naver",
            "(id, secret, hubId, hubSecret)",
            "Naver: client id and secret of an application; or, for API HUB, hubId and hubSecret."
        ),
        ManualEntry(
            "google",
            "(key, country)",
            "Google Books: an API key, and the country, as KR, whose books are meant."
        ),
        ManualEntry(
            "itunes",
            "(country, lang)",
            "The iTunes store: no key; which country's, and the language of its answers."
        ),
        ManualEntry("wikipedia", "(contact)", "Wikipedia: no key; an address that its operators can write to."),
        ManualEntry("openlibrary", "(contact)", "Open Library: no key; an address that its operators can write to."),
        ManualEntry("hackernews", "", "Hacker News: nothing is needed."),
    ]

    /// A whole file, as the daemon takes it.
    package static let example = [
        "{",
        "    accounts: {",
        "        kakao: { key: { file: \"/etc/searchd/kakao.key\" } },",
        "        naver: { id: { env: \"NAVER_ID\" }, secret: { env: \"NAVER_SECRET\" } },",
        "        google: { key: { credential: \"google\" }, country: \"KR\" },",
        "    },",
        "    // What a search asks that names no source.",
        "    defaultSources: [\"kakao.*\", \"itunes.app\"],",
        "    sources: {",
        "        \"kakao.web\": { enabled: false },",
        "        \"kakao.blog\": { ttl: \"30m\", weight: 2, limits: { perSecond: 5, perDay: 30000, concurrency: 4 } },",
        "    },",
        "    memory: { cacheBytes: \"64MiB\" },",
        "}",
    ]

    static var page: String {
        var page = Roff("searchd.conf", section: 5, summary: "the configuration of searchd, config.json5")
        page.heading("SYNOPSIS")
        page.paragraph("/etc/searchd/config.json5, $XDG_CONFIG_HOME/searchd/config.json5")
        page.heading("EXAMPLES")
        page.example(example)
        page.heading("DESCRIPTION")
        page.paragraph(
            "One JSON5 object: JSON with comments, names without quotes, and commas behind the last element. The first "
                + "file that is there is read, as --config of searchd(8) tells; none is fine, and every key may be missing."
        )
        page.paragraph(
            "A wrong key, type or unit is refused with its line and what would be right; “searchd --check” tells all "
                + "that is wrong at once."
        )
        page.heading("KEYS")
        page.entries(keys)
        page.heading("ACCOUNTS")
        page.paragraph(
            "A secret says where it is: { credential: \"NAME\" } is one of systemd's, { file: \"/path\" } a file that "
                + "others can't read, { env: \"NAME\" } a variable of the daemon's environment, and "
                + "{ value: \"...\" } the secret itself, in a configuration that others can't read. A setting is a text. "
                + "Every account takes baseURL, which sends the requests of all its sources elsewhere."
        )
        page.entries(accounts)
        page.heading("SEE ALSO")
        page.paragraph("searchd(8), searchctl(1)")
        return page.text
    }
}
