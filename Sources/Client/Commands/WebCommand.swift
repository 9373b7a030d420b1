import CPlatform
import EventLoop
import Glibc
import SearchModel

/// The command `searchctl web`, which runs `searchd-web` for this user and opens its page.
enum WebCommand {
    static let command = Command(
        "web",
        .script,
        summary: "serve a search page and the SearXNG API, and open the browser",
        details: [
            "Runs until Ctrl-C. Prints the address of the page. The token in the address gives "
                + "access to your library and history. Programs without the token can only search the web.",
            "Programs that use the SearXNG API, such as Open WebUI, need only the address without the token.",
        ],
        options: [port, print],
        examples: ["searchctl web", "searchctl web --port 8888 --print"],
        isBrief: true,
        run: run
    )

    private static let port = CommandOption(
        "port",
        value: .number("PORT", in: 1...65_535),
        help: "the port of the address (default: any free port)"
    )
    private static let print = CommandOption("print", help: "print the address without opening it")
    private static let browserPatience = Duration.milliseconds(300)

    @Sendable private static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        guard let program = InstalledProgram.find("searchd-web", environment: context.environment) else {
            let hint = "Install searchd-web, or set PATH."
            throw ClientError(.usage, "searchd-web is neither in the directory of searchctl nor in PATH", hint: hint)
        }
        let socket = try Connector(context).connect().path
        let listener = try listener(UInt16(context.arguments.number(port) ?? 0))
        let token = Self.token()
        let address = "http://127.0.0.1:\(listener.port)/?token=\(token)"
        try context.console.print("\(address)\n")
        if !context.arguments.has(print) { open(address, context) }
        return try replace(with: program, socket, consume listener, token)
    }

    private static func listener(_ port: UInt16) throws(ClientError) -> LoopbackListener {
        do throws(SystemError) {
            return try LoopbackListener(port: port)
        } catch {
            throw refusal(error)
        }
    }

    static func refusal(_ error: SystemError) -> ClientError {
        let kind: SearchError.Kind = error.number == EACCES ? .forbidden : .unavailable
        return ClientError(.init(kind), error.description, hint: "Choose another port with --port.")
    }

    private static func token() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(random.next() as UInt32, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        .joined()
    }

    /// Opens the browser before the server runs.
    ///
    /// The browser's request waits in the socket.
    private static func open(_ address: String, _ context: Context) {
        let environment = context.environment
        let hasWindows = ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0] != nil }
        guard hasWindows else { return }
        do throws(ClientError) {
            let browser = try Browser(environment, hasTerminal: false)
            if !browser.takesTerminal(environment) { try browser.open(address, patience: browserPatience) }
        } catch {
            context.console.report(FailureText.line(error))
        }
    }

    /// Replaces this process with `searchd-web`, which inherits the socket (LISTEN_FDS) and a pipe with the token.
    private static func replace(
        with program: String,
        _ socket: String,
        _ listener: consuming LoopbackListener,
        _ token: String
    ) throws(ClientError) -> ExitStatus {
        var ends: [Int32] = [-1, -1]
        // The call fills the array. The token fits in the pipe's buffer, so the write does not block.
        guard unsafe pipe(&ends) == 0 else { throw ClientError(.system, "a pipe cannot be created") }
        var line = "\(token)\n"
        _ = line.withUTF8 { unsafe write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        let tokenFile = fcntl(ends[0], F_DUPFD, 10)
        close(ends[0])
        let first: Int32 = 3
        let copy = fcntl(listener.descriptor.raw, F_DUPFD_CLOEXEC, 10)
        dup2(copy, first)
        // `searchd-web` would print the address again, so discard its output.
        let null = unsafe Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(null, STDOUT_FILENO)
        _ = signal(SIGCHLD, SIG_IGN)
        // The texts are valid during the calls, and no other thread reads the environment.
        _ = unsafe (setenv("LISTEN_PID", "\(getpid())", 1), setenv("LISTEN_FDS", "1", 1))
        let words = [program, "--socket", socket, "--token-file", "/dev/fd/\(tokenFile)"]
        throw ProgramReplacement.run(program, words)
    }
}
