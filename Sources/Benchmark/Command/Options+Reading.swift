extension Options {
    static let usage = """
        usage: searchbench [OPTION…]
               searchbench cache [OPTION…]
               searchbench ranking [OPTION…]
               searchbench library [OPTION…]
               searchbench typing [OPTION…]
               searchbench agents [OPTION…]
               searchbench live [OPTION…]
               searchbench hostile [OPTION…]
               searchbench echo-peer --socket PATH --bytes N

        Compares searchd's cached answers with Redis and with a plain echo server, and its misses with a plain loop
        around libcurl; measures starting, idling, decoding, and many identical searches at once. Every server is started
        privately and stopped again. “cache” measures the daemon's cache alone: its hit rate on Zipf streams beside LRU
        and the optimum, the cost of hits among a million pages, and while another source fails. “ranking” compares the
        merged order of judged searches with reciprocal rank and round robin. “library” compares what a user saves and
        finds again with SQLite alone, “typing” suggestions with cached searches, “agents” calls of tools with the searches
        that they are, and searchctl mcp with socat, “live” keystrokes in searchctl live with those in fzf. “hostile” attacks the daemon; see “searchbench hostile --help”.

          --peers LIST             of searchd,redis,echo (all of them)
          --parts LIST             of idle,start,burst,miss,load,cache,trouble,ranking,library,typing,agents,live
                                   (all but the last seven)
          --connections LIST       connections that send one request at a time (1,16,64,256)
          --deep-connections LIST  connections that send several at a time (1,16,64)
          --depth N                requests in flight on each of those (16)
          --rounds N               measurements of each peer, in turns (5); misses until so many rounds are
                                   undisturbed, at most twelve times as many
          --seconds S              duration of a round (1); a quarter of it for misses
          --starts N               starts of each program (20)
          --idle-seconds S         how long an idle server is observed (5)
          --quick                  3 rounds of a quarter of a second, 5 starts, 1 s idle, caches of a tenth
          --bytes N                length of an answer when searchd is not among the peers (4096)
          --programs DIR           where searchd, searchctl and searchd-sandbox are (beside searchbench)
          --json                   one JSON object instead of tables
          --strict                 exit status 1 when a target is missed
          --help                   this text

        Exit status: 0 measured · 1 a target missed, with --strict · 2 wrong usage · 70 a peer failed or answered wrongly.
        """

    /// Reads the arguments, without the program's name; the last of a repeated option counts.
    init(arguments: [String]) throws(BenchmarkError) {
        var reader = ArgumentReader(arguments)
        let alone: [Part] = [.cache, .ranking, .library, .typing, .agents, .live]
        if let part = arguments.first.flatMap(Part.init(rawValue:)), alone.contains(part) {
            _ = reader.next()
            (parts, peers) = (part == .cache ? [.cache, .trouble] : [part], [.searchd])
        }
        while let name = reader.next() {
            switch name {
            case "--peers": peers = try reader.list(after: name, of: PeerName.allCases)
            case "--parts": parts = try reader.list(after: name, of: Part.allCases)
            case "--connections": connections = try reader.numbers(after: name, 1...Scenario.connectionsMax)
            case "--deep-connections": deepConnections = try reader.numbers(after: name, 1...Scenario.connectionsMax)
            case "--depth": depth = try reader.number(after: name, 1...Scenario.depthMax)
            case "--rounds": rounds = try reader.number(after: name, 1...Self.roundsMax)
            case "--seconds": seconds = try reader.decimal(after: name, 0.01...Self.secondsMax)
            case "--bytes": answerBytes = try reader.number(after: name, 1...Self.answerBytesMax)
            case "--programs": programs = try reader.value(after: name)
            case "--starts": starts = try reader.number(after: name, 1...Self.startsMax)
            case "--idle-seconds": idling = .seconds(try reader.number(after: name, 1...Int(Self.secondsMax)))
            case "--quick":
                (rounds, seconds, starts, idling) = (3, 0.25, 5, .seconds(1))
                (cacheRequests, cacheEntries, libraryItems, suggestions) = (100_000, 100_000, 10_000, 10_000)
            case "--json": json = true
            case "--strict": strict = true
            case "--help", "-h": help = true
            default: throw reader.refusal("\(name) is not an option")
            }
        }
    }
}
