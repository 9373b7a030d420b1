import SearchModel

/// The command line options of `searchd`.
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
    /// The program that started the daemon reads this pipe, to wait until clients can connect.
    var readyDescriptor: Int32?
    var logLevel: LogLevel?
    var query: SearchQuery?

    struct Problem: Error, Equatable {
        let message: String
    }

    init() {}

    /// `words` are the arguments after the program's name; `directory` is the base of relative paths.
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
            func value<Value>(_ needed: String, _ parse: (String) -> Value?) throws(Problem) -> Value {
                guard let value = parse(try value()) else { throw Problem(message: "\(name) needs \(needed)") }
                return value
            }
            func path() throws(Problem) -> String {
                let path = try value()
                guard let directory, !path.hasPrefix("/") else { return path }
                return "\(directory)/\(path)"
            }
            func flag<Value>(_ value: Value) throws(Problem) -> Value {
                guard parts.count == 1 else { throw Problem(message: "\(name) takes no value") }
                return value
            }
            switch name {
            case "--socket": socket = try path()
            case "--config": configuration = try path()
            case "--state": state = try path()
            case "--cache": cache = try path()
            case "--log-level":
                logLevel = try value("one of \(LogLevel.names.joined(separator: ", "))", LogLevel.init(named:))
            case "--verbose": logLevel = try flag(.debug)
            case "--ready-fd":
                let number: Int32 = try value("the number of an open descriptor above 2") { text in
                    Int32(text).flatMap { $0 > 2 ? $0 : nil }
                }
                readyDescriptor = number
            case "--check": action = try flag(.check)
            case "--check-source": action = .checkSource(file: try value())
            case "--try":
                let wanted: SearchQuery = try value("a query of at most \(SearchQuery.bytesMax) bytes") {
                    SearchQuery($0)
                }
                query = wanted
            case "--version": action = try flag(.version)
            case "--help", "-h": action = try flag(.help)
            default: throw Problem(message: "unknown option \(word); searchd --help lists the options")
            }
        }
        if query != nil, case .checkSource = action { return }
        if query != nil { throw Problem(message: "--try needs --check-source") }
    }

    static let help = """
        searchd — one search service for the whole machine, over a Unix socket

        usage: searchd [options]

          --socket PATH    the path of the socket; default: the first of these that is set:
                           $SEARCHD_SOCKET, a socket from systemd, “socket” in the configuration,
                           $XDG_RUNTIME_DIR/searchd.sock, $XDG_STATE_HOME/searchd/run/searchd.sock
                           (not for root), /run/searchd/searchd.sock
          --config FILE    the configuration file; default: $SEARCHD_CONFIG or, if it is not set,
                           the first of these files that exists (no file is required):
                           $XDG_CONFIG_HOME/searchd/config.json5, /etc/searchd/config.json5
          --state DIR      the directory for persistent data; default: the first of these that is set:
                           stateDirectory in the configuration, $STATE_DIRECTORY (set by systemd),
                           $XDG_STATE_HOME/searchd; else ~/.local/state/searchd
          --cache DIR      the directory for cached data; default: the first of these that is set:
                           cacheDirectory in the configuration, $CACHE_DIRECTORY (set by systemd),
                           $XDG_CACHE_HOME/searchd; else ~/.cache/searchd
          --check          check the configuration, keys and source files, then exit
          --check-source FILE [--try QUERY]
                           check one source file; with --try, also call the source and print the result
          --log-level LEVEL
                           error, warning, notice, info (the default), or debug, which also
                           logs queries
          --verbose        the same as --log-level debug
          --ready-fd N     write to descriptor N when clients can connect
          --version        print the version
          --help           print this

        After TERM or INT, the daemon finishes the requests in flight within 5 s and exits. After HUP,
        it reloads the configuration, source files and keys.
        """
}
