import CPlatform
import EventLoop
import Glibc
import JSON

/// A server process with its own directory, which can be killed and restarted with the same files.
final class Server {
    /// The time until a started server must answer.
    private static let startSecondsMax: Int64 = 20

    let name: String
    private let directory: String
    private let command: Command
    private let processors: Processors
    private(set) var process: ChildProcess

    var socketPath: String { "\(directory)/socket" }

    /// Starts the program on the processor for servers, and waits until it answers.
    init(_ name: String, _ command: Command, in directory: String, _ processors: Processors) throws {
        (self.name, self.directory, self.command, self.processors) = (name, directory, command, processors)
        process = try processors.serving { try ChildProcess(command, log: "\(directory)/log") }
        try awaitReady()
    }

    /// Kills the server with SIGKILL and restarts it.
    func restart() throws {
        process.kill()
        process = try processors.serving { try ChildProcess(command, log: "\(directory)/log") }
        try awaitReady()
    }

    /// Opens a new connection.
    func connect() throws -> ServerConnection { try ServerConnection(socketPath) }

    /// Opens connections, as another user if one is given.
    func connect(_ count: Int, as user: UInt32?) throws -> [ServerConnection] {
        // The peer of a connection is the thread's effective user at that moment.
        if let user { _ = platform_set_thread_user(user) }
        defer { if user != nil { _ = platform_set_thread_user(0) } }
        return try (0..<count).map { _ in try connect() }
    }

    /// Calls a method of searchd on a new connection.
    func result(_ method: String, _ params: String = "{}") throws -> JSONCursor {
        do {
            return try connect().result(method, params)
        } catch let error as BenchmarkError {
            throw process.failure("failed: \(error.message)")
        }
    }

    /// The ledgers of a source, as searchd reports them.
    func quotas(of source: String) throws -> [JSONCursor] {
        let sources = try result("source/list")["sources"]?.elements ?? []
        return sources.first { $0["source"]?.string == source }?["quota"]?.elements ?? []
    }

    /// Opens a connection, sends a ping and waits for the answer.
    @discardableResult
    func ping() throws -> ServerConnection {
        let talk = try connect()
        let ping = name == "redis" ? Redis.command(["PING"]) : Wire.ping
        guard talk.answer(to: ping, within: .seconds(Self.startSecondsMax)) != nil else {
            throw process.failure("does not answer a ping")
        }
        return talk
    }

    private func awaitReady() throws {
        let deadline = SystemCall.now + Self.startSecondsMax * 1_000_000_000
        while (try? connect()) == nil {
            guard process.isRunning else { throw process.failure("ended before it listened") }
            guard SystemCall.now < deadline else { throw process.failure("does not listen on \(socketPath)") }
            SystemCall.pause(.microseconds(50))
        }
        try ping()
    }
}

/// Starts servers, each with its own directory.
final class BenchmarkEnvironment {
    /// Source limits that never slow down a measurement.
    private static let ample = "{perSecond:10000,perDay:1000000000,concurrency:256}"
    /// The source that is searched at an account.
    private static let sources = [
        "kakao": "kakao.blog", "naver": "naver.blog", "exa": "exa.web", "brave": "brave.web",
    ]

    /// The directory of searchd, searchctl and searchd-sandbox.
    let programs: String
    let processors: Processors
    let directory: TemporaryDirectory
    let sandbox: Sandbox
    private var started = 0

    init(programs: String?) throws {
        let own = String(decoding: SystemCall.target(ofLink: "/proc/self/exe") ?? [], as: UTF8.self)
        self.programs = programs ?? own.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        directory = try TemporaryDirectory()
        processors = try Processors()
        sandbox = try Sandbox("\(self.programs)/searchd-sandbox", log: directory.file("sandbox.log"))
    }

    /// Starts a searchd with an empty state directory.
    ///
    /// Only the accounts that a measurement uses are configured, because an older program may know no others. `limits`
    /// are those of the sources by account, and `members` further members of the accounts.
    func searchd(
        program: String? = nil,
        accounts: [String] = ["kakao"],
        limits: [String: String] = [:],
        members: [String: String] = [:]
    ) throws -> Server {
        let own = try newDirectory()
        let configured = accounts.map { sandbox.configuration(of: $0, members: members[$0] ?? "") }
        let limited = accounts.compactMap { account in
            Self.sources[account].map { "\"\($0)\":{limits:\(limits[account] ?? Self.ample)}" }
        }
        let (accounts, sources) = (configured.joined(separator: ","), limited.joined(separator: ","))
        try SystemCall.write(Array("{accounts:{\(accounts)},sources:{\(sources)}}".utf8), to: "\(own)/config.json5")
        let command = Command(
            program: program ?? "\(programs)/searchd",
            arguments: [
                "--socket", "\(own)/socket", "--config", "\(own)/config.json5", "--state", "\(own)/state", "--cache",
                "\(own)/cache", "--log-level", "error",
            ],
            // searchctl and systemd start searchd with the same variable.
            environment: ["GLIBC_TUNABLES=glibc.malloc.tcache_count=64:glibc.malloc.hugetlb=1"]
        )
        return try Server(program == nil ? "searchd" : "baseline", command, in: own, processors)
    }

    func redis() throws -> Server {
        let own = try newDirectory()
        let words = ["--port", "0", "--unixsocket", "\(own)/socket", "--save", "", "--appendonly", "no", "--dir", own]
        return try Server("redis", Command(program: "redis-server", arguments: words), in: own, processors)
    }

    private func newDirectory() throws -> String {
        started += 1
        return try directory.directory("server-\(started)")
    }
}

/// The protocol of Redis (RESP 2).
enum Redis {
    /// Encodes a command as an array of bulk strings.
    static func command(_ words: [String]) -> [UInt8] {
        Array("*\(words.count)\r\n".utf8) + words.flatMap { Array("$\($0.utf8.count)\r\n\($0)\r\n".utf8) }
    }

    /// Returns the length of an answer with a value of `valueBytes` bytes.
    static func answerBytes(_ valueBytes: Int) -> Int { valueBytes + "$\(valueBytes)\r\n\r\n".utf8.count }
}
