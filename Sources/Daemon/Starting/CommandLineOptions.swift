import SearchModel

/// The options of `searchd`.
struct CommandLineOptions: Equatable, Sendable {
    enum Action: Equatable, Sendable {
        case serve
        case check
        case checkSource(file: String)
        case help
        case version
    }

    var action = Action.serve
    var socket: String?
    var configuration: String?
    var state: String?
    var cache: String?
    /// A pipe on which the program that started the daemon waits for it to be ready.
    var readyDescriptor: Int32?
    /// What the log is to hold, whatever the configuration says.
    var logLevel: LogLevel?
    /// What a source that is checked is to be asked for.
    var query: SearchQuery?

    /// What is wrong with the words; one sentence.
    struct Problem: Error, Equatable {
        let message: String
    }

    init() {}

    /// Reads the words of a command line.
    ///
    /// - Parameters:
    ///   - words: Without the program's name.
    ///   - directory: Where paths that don't begin with `/` begin; without it they stay as they are.
    /// - Throws: What is wrong with the first wrong one.
    init(_ words: some Collection<String>, in directory: String? = nil) throws(Problem) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            func value() throws(Problem) -> String {
                guard let value = parts.count == 2 ? parts[1] : words.popFirst(), !value.isEmpty else {
                    throw Problem(message: "\(name) needs a value")
                }
                return value
            }
            func path() throws(Problem) -> String {
                let path = try value()
                guard let directory, !path.hasPrefix("/") else { return path }
                return "\(directory)/\(path)"
            }
            switch name {
            case "--socket": socket = try path()
            case "--config": configuration = try path()
            case "--state": state = try path()
            case "--log-level":
                let name = try value()
                guard let level = LogLevel(named: name) else {
                    throw Problem(message: "--log-level needs one of \(LogLevel.names.joined(separator: ", "))")
                }
                logLevel = level
            case "--cache": cache = try path()
            case "--ready-fd":
                guard let number = Int32(try value()), number > 2 else {
                    throw Problem(message: "--ready-fd needs the number of an open descriptor above 2")
                }
                readyDescriptor = number
            case "--check", "--verbose", "--help", "-h", "--version":
                guard parts.count == 1 else { throw Problem(message: "\(name) takes no value") }
                take(name)
            case "--check-source": action = .checkSource(file: try value())
            case "--try":
                guard let wanted = SearchQuery(try value()) else {
                    throw Problem(message: "--try needs a query of at most \(SearchQuery.bytesMax) bytes")
                }
                query = wanted
            default: throw Problem(message: "\(word) is not known; searchd --help lists the options")
            }
        }
        if query != nil, case .checkSource = action { return }
        if query != nil { throw Problem(message: "--try belongs to --check-source") }
    }

    /// Notes a word that stands alone.
    private mutating func take(_ word: String) {
        switch word {
        case "--check": action = .check
        case "--version": action = .version
        case "--verbose": logLevel = .debug
        default: action = .help
        }
    }

    static let help = """
        searchd — one search service for the whole machine, over a Unix socket

        usage: searchd [options]

          --socket PATH    where to listen; by default $SEARCHD_SOCKET, a socket from
                           systemd, $XDG_RUNTIME_DIR/searchd.sock, or without such a
                           directory ~/.local/state/searchd/run/searchd.sock; for root
                           /run/searchd/searchd.sock
          --config FILE    the configuration; else $SEARCHD_CONFIG, $XDG_CONFIG_HOME/searchd/config.json5,
                           /etc/searchd/config.json5; none is fine
          --state DIR      for what must last; else systemd's or XDG's directory
          --cache DIR      for what may be lost; else systemd's or XDG's directory
          --check          check configuration and sources, and exit
          --check-source FILE [--try QUERY]
                           check one source file; with --try also ask it, and print what comes
          --log-level LEVEL
                           error, warning, notice, info (so it is without this), or debug, which
                           also writes what is searched for
          --verbose        the same as --log-level debug
          --ready-fd N     write a line to descriptor N once clients can connect
          --version        print the version
          --help           print this

        TERM and INT let requests in flight finish within 5 s, then end the daemon.
        HUP reads configuration, sources and keys again.
        """
}
