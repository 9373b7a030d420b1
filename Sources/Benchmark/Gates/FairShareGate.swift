import EventLoop
import Glibc

/// Checks that a client with one search at a time gets its share of the calls to a busy source.
enum FairShareGate {
    private static let source = "kakao.blog"
    private static let rivals = 32
    private static let rivalUser: UInt32 = 60_001
    private static let shareOfUserMin = 0.2
    /// The minimum if all clients belong to one user: 80 % of an equal share.
    private static let shareOfClientMin = 0.8 / Double(rivals + 1)

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict]
    {
        let isRoot = geteuid() == 0
        if !isRoot { say("not root: all clients belong to the same user") }
        let server = try environment.searchd(limits: "{perSecond:20,perDay:1000000000,concurrency:8}")
        let crowd = try crowd(server, environment, isOtherUser: isRoot)
        let before = try environment.sandbox.requests()
        let served = try search(server, for: .seconds(options.isLong ? 20 : 5))
        let share = Double(served) / Double(max(1, try environment.sandbox.requests() - before))
        crowd.stop()
        let least = (isRoot ? shareOfUserMin : shareOfClientMin) / (options.isLong ? 1 : 2)
        return [
            Verdict(
                "a client with one search at a time gets its share among \(rivals) clients "
                    + "that change their names with each search",
                measured: "\(Unit.percent.text(share)) % of the calls (minimum \(Unit.percent.text(least)) %)",
                passed: share >= least
            )
        ]
    }

    private static func search(_ server: Server, for duration: Duration) throws -> Int {
        let talk = try server.connect()
        let end = SystemCall.now + duration.saturatingNanoseconds
        var served = 0
        while SystemCall.now < end {
            guard Wire.isResult(talk.answer(to: search("참을성 \(served)"), within: Gate.answerMax)) else {
                throw server.process.failure("did not answer the client with one search at a time")
            }
            served += 1
        }
        return served
    }

    private static func search(_ query: String) -> [UInt8] {
        Wire.request(2, "search", Wire.search(query, source, #","limit":1,"timeout":60000"#))
    }

    private static func crowd(_ server: Server, _ environment: BenchmarkEnvironment, isOtherUser: Bool) throws
        -> ChildProcess
    {
        var command = Command(
            program: environment.searchbench,
            arguments: ["crowd-peer", server.socketPath, "\(rivals)"]
        )
        if isOtherUser {
            // The other user may not be able to read the original program.
            command.program = environment.directory.file("crowd-peer")
            try ChildProcess(Command(program: "cp", arguments: [environment.searchbench, command.program]))
                .awaitSuccess()
            command = command.run(as: rivalUser)
        }
        let process = try ChildProcess(command, log: "\(server.directory)/crowd.log", capturesOutput: true)
        guard try process.line() != nil else { throw process.failure("(the other clients) failed") }
        return process
    }

    /// Runs `searchbench crowd-peer SOCKET N`.
    static func wait(_ socketPath: String, connections: Int, print: (String) -> Void) throws {
        let talks = try (0..<connections).map { _ in try ServerConnection(socketPath) }
        var count = 0
        func sendSearch(on talk: ServerConnection) {
            count += 1
            let hello = Wire.request(1, "server/hello", #"{"client":"name \#(count)"}"#)
            talk.send(hello + search("나그네 \(count)"), until: Gate.deadline)
        }
        for talk in talks { sendSearch(on: talk) }
        print("\(talks.count) clients are waiting")
        while true {
            for talk in talks where talk.line(with: #""id":2"#, until: 0) != nil { sendSearch(on: talk) }
            SystemCall.pause(.milliseconds(1))
        }
    }
}
