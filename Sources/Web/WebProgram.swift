import CPlatform
import Client
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// The program `searchd-web`, which serves a search page for browsers and the SearXNG API for programs.
package enum WebProgram {
    private static let descriptorsKept = 64

    package static func run(_ words: some Collection<String>) -> Int32 {
        _ = signal(SIGPIPE, SIG_IGN)
        do throws(ClientError) {
            let options = try WebOptions(words)
            if options.showsHelp {
                print(WebOptions.help)
            } else if options.showsVersion {
                print("searchd-web \(Version.program)")
            } else {
                try serve(options)
            }
            return 0
        } catch {
            let lines = [error.message, error.hint].compactMap(\.self).joined(separator: ". ")
            Console().report("searchd-web: \(lines)")
            return ExitStatus(of: error).number
        }
    }

    private static func serve(_ options: WebOptions) throws(ClientError) {
        let token = try options.tokenFile.map { file throws(ClientError) in try self.token(in: file) }
        let environment = Environment.process
        let connector = try Connector(Context(Console(), environment), socket: options.socket, starting: .nothing)
        let failure = Locked<ClientError?>(nil)
        do throws(SystemError) {
            let loop = try EventLoop()
            let watch = Locked<SignalWatch?>(nil)
            // Block the signals before other threads start, because those threads could receive them.
            loop.perform {
                do throws(SystemError) {
                    let made = try SignalWatch([SIGTERM, SIGINT, SIGHUP], on: loop) { _ in loop.stop() }
                    watch.withLock { $0 = made }
                    do throws(ClientError) {
                        try begin(options, token, connector, environment, on: loop)
                    } catch {
                        failure.withLock { $0 = error }
                        loop.stop()
                    }
                } catch {
                    failure.withLock { $0 = ClientError(error) }
                    loop.stop()
                }
            }
            loop.run()
        } catch {
            throw ClientError(error)
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Must be called on the loop.
    private static func begin(
        _ options: WebOptions,
        _ token: Token?,
        _ connector: Connector,
        _ environment: Environment,
        on loop: EventLoop
    ) throws(ClientError) {
        var limits = WebLimits()
        let descriptors = platform_raise_descriptor_limit()
        if descriptors > 0 { limits.connections = min(limits.connections, max(16, Int(descriptors) - descriptorsKept)) }
        let listeners = try listeners(options, environment)
        guard let first = listeners.first, let address = SocketAddress(of: first) else {
            throw ClientError(
                .usage,
                "the inherited socket is not an IP socket",
                hint: "Set ListenStream=HOST:PORT in the unit."
            )
        }
        let isOpen = listeners.contains { SocketAddress(of: $0)?.isLoopback != true }
        guard !isOpen || !options.allowedHosts.isEmpty else {
            let hint = "Add --allow-host NAME for each host name that clients use, or listen on 127.0.0.1."
            throw ClientError(.usage, "other machines can reach \(address.text)", hint: hint)
        }
        let access = AccessCheck(port: address.port, allowedHosts: options.allowedHosts, token: token)
        let server = WebServer(on: loop, limits: limits, handler: Site(on: loop, access: access, connector: connector))
        do throws(SystemError) {
            for raw in listeners { try server.onLoop { (server) throws(SystemError) in try server.listen(on: raw) } }
        } catch {
            throw ClientError(error)
        }
        var line = "http://\(address.text)/\n"
        // The text is valid during the call. Unlike `print`, this call does not buffer.
        _ = line.withUTF8 { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        loop.perform { platform_release_start_memory() }
    }

    private static func listeners(_ options: WebOptions, _ environment: Environment) throws(ClientError) -> [Int32] {
        do throws(SystemError) {
            if options.address == nil, environment["LISTEN_PID"] == "\(getpid())",
                let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...16).contains(count)
            {
                let inherited = Array(3..<3 + count)
                for raw in inherited { try SystemCall.prepareInherited(raw) }
                return inherited
            }
            guard let address = SocketAddress(options.address ?? WebOptions.standardAddress) else {
                throw SystemError(call: "--listen \(options.address ?? "")", number: EINVAL)
            }
            return [try address.listen().release()]
        } catch {
            throw ClientError(
                .init(.unavailable),
                error.description,
                hint: "Choose another address with --listen HOST:PORT."
            )
        }
    }

    private static func token(in file: String) throws(ClientError) -> Token {
        guard let bytes = SystemCall.contents(of: file) else {
            throw ClientError(
                .usage,
                "\(file) cannot be read",
                hint: "--token-file needs a file whose first line is the token."
            )
        }
        let line = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        guard let token = Token(line[...].trimmed) else {
            let hint = "The first line must be a token of at least \(Token.bytesMin) letters, digits or -._~+/=."
            throw ClientError(.usage, "\(file) does not contain a valid token", hint: hint)
        }
        return token
    }
}

struct WebOptions {
    static let standardAddress = "127.0.0.1:8888"

    private(set) var address: String?
    private(set) var socket: String?
    private(set) var tokenFile: String?
    private(set) var allowedHosts: Set<String> = []
    private(set) var showsHelp = false
    private(set) var showsVersion = false

    init(_ words: some Collection<String>) throws(ClientError) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            func value() throws(ClientError) -> String {
                if parts.count == 2 { return parts[1] }
                guard let next = words.popFirst(), !next.isEmpty else {
                    throw ClientError(.usage, "\(word) needs a value")
                }
                return next
            }
            switch parts.first {
            case "--listen": address = try value()
            case "--socket": socket = try value()
            case "--token-file": tokenFile = try value()
            case "--allow-host": allowedHosts.insert(try value().lowercased())
            case "--version": showsVersion = true
            case "--help", "-h": showsHelp = true
            default: throw ClientError(.usage, "unknown option \(word)", hint: "searchd-web --help lists the options.")
            }
        }
    }

    static let help = """
        searchd-web — a search page for browsers, and the SearXNG API for programs

        usage: searchd-web [options]

          --listen HOST:PORT   listen on this address (default: a socket from systemd, or
                               \(standardAddress)); port 0 chooses a free port; when the server
                               is ready, it prints its address
          --socket PATH        the socket of searchd (default: $SEARCHD_SOCKET; if it is not set,
                               the first standard path at which a daemon answers)
          --token-file FILE    the token that clients need to use your library and history; without
                               this option, clients can only search the web
          --allow-host NAME    also answer requests for this host name, such as
                               host.docker.internal; can be given several times
          --version            print the version
          --help               print this help

        “searchctl web” starts this program with a token and opens the page.
        """
}
