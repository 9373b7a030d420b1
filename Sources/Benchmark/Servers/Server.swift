import CEchoPeer
import EventLoop
import Glibc
import JSON

/// A server process that can be killed and restarted with the same files.
final class Server {
    enum Kind { case searchd, redis, echo }

    private static let startSecondsMax: Int64 = 20

    let name: String
    let kind: Kind
    let directory: String
    private let command: Command
    private let processors: Processors
    private(set) var process: ChildProcess

    var socketPath: String { "\(directory)/socket" }

    init(_ name: String, _ kind: Kind, _ command: Command, in directory: String, _ processors: Processors) throws {
        (self.name, self.kind, self.directory) = (name, kind, directory)
        (self.command, self.processors) = (command, processors)
        process = try processors.serving { try ChildProcess(command, log: "\(directory)/log") }
        try awaitReady()
    }

    func start() throws {
        process = try processors.serving { try ChildProcess(command, log: "\(directory)/log") }
        try awaitReady()
    }

    func kill() { process.kill() }

    func connect() throws -> ServerConnection { try ServerConnection(socketPath) }

    func result(_ method: String, _ params: String = "{}") throws -> JSONCursor {
        do {
            return try connect().result(method, params)
        } catch let error as BenchmarkError {
            throw process.failure("failed: \(error.message)")
        }
    }

    @discardableResult
    func ping() throws -> ServerConnection {
        let talk = try connect()
        let ping = kind == .searchd ? Wire.ping : kind == .redis ? Redis.command(["PING"]) : [UInt8(ascii: "\n")]
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

/// The programs, the mock server and the temporary directory of a run.
final class BenchmarkEnvironment {
    /// Limits that never slow down a measurement.
    static let ample = "{perSecond:10000,perDay:1000000000,concurrency:256}"
    private static let sources = [
        "kakao": "kakao.blog", "naver": "naver.blog", "exa": "exa.web", "brave": "brave.web",
    ]

    let programs: String
    let searchbench: String
    let processors: Processors
    let directory: TemporaryDirectory
    let sandbox: Sandbox
    private var started = 0

    init(programs: String?) throws {
        searchbench = String(decoding: SystemCall.target(ofLink: "/proc/self/exe") ?? [], as: UTF8.self)
        let parent = searchbench.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        self.programs = programs ?? parent
        directory = try TemporaryDirectory()
        processors = try Processors()
        sandbox = try Sandbox("\(self.programs)/searchd-sandbox", log: directory.file("sandbox.log"))
    }

    /// Starts searchd.
    ///
    /// Accounts that are not in `accounts` get an address without a server. If `program` is given, the configuration
    /// omits them instead, because an older program may not know them.
    func searchd(
        program: String? = nil,
        accounts: [String] = ["kakao"],
        limits: String = ample,
        bases: [String: String] = [:],
        members: [String: String] = [:]
    ) throws -> Server {
        let own = try newDirectory()
        let sources = accounts.compactMap { Self.sources[$0].map { "\"\($0)\":{limits:\(limits)}" } }
        let closed = program == nil ? ",\(ClosedAccounts.members(except: accounts))" : ""
        let accounts = sandbox.accounts(accounts, bases, members) + closed
        let configuration = "{accounts:{\(accounts)},sources:{\(sources.joined(separator: ","))}}"
        try SystemCall.write(Array(configuration.utf8), to: "\(own)/config.json5")
        let command = Command(
            program: program ?? "\(programs)/searchd",
            arguments: [
                "--socket", "\(own)/socket", "--config", "\(own)/config.json5", "--state", "\(own)/state", "--cache",
                "\(own)/cache", "--log-level", "error",
            ],
            // searchctl and systemd set the same variable.
            environment: ["GLIBC_TUNABLES=glibc.malloc.tcache_count=64:glibc.malloc.hugetlb=1"]
        )
        return try Server(program == nil ? "searchd" : "baseline", .searchd, command, in: own, processors)
    }

    func redis() throws -> Server {
        let own = try newDirectory()
        let words = ["--port", "0", "--unixsocket", "\(own)/socket", "--save", "", "--appendonly", "no", "--dir", own]
        let command = Command(program: "redis-server", arguments: words)
        return try Server("redis", .redis, command, in: own, processors)
    }

    func echo(answerBytes: Int) throws -> Server {
        let own = try newDirectory()
        let words = ["echo-peer", "\(own)/socket", "\(answerBytes)"]
        return try Server("echo", .echo, Command(program: searchbench, arguments: words), in: own, processors)
    }

    private func newDirectory() throws -> String {
        started += 1
        return try directory.directory("server-\(started)")
    }
}

enum Redis {
    static func command(_ words: [String]) -> [UInt8] {
        Array("*\(words.count)\r\n".utf8) + words.flatMap { Array("$\($0.utf8.count)\r\n\($0)\r\n".utf8) }
    }

    static func answerBytes(_ valueBytes: Int) -> Int { valueBytes + "$\(valueBytes)\r\n\r\n".utf8.count }
}

enum EchoServer {
    static func run(socketPath: String, answerBytes: Int) throws {
        let listener = try UnixSocket.listen(at: socketPath, backlog: SOMAXCONN)
        echo_peer_run(listener.raw, answerBytes)
        throw SystemCall.failure("serving \(socketPath)")
    }
}
