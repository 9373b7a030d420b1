import EventLoop
import Glibc

/// A client with one search at a time gets its share of a source, however many other clients wait for it.
///
/// As root, the others are another user; else all are one user.
enum CrowdGate {
    private static let source = "kakao.blog"
    private static let rivals = 32
    private static let rivalUser: UInt32 = 60_001
    /// Of the calls of two users in turn, the second of whom has one search waiting at a time.
    private static let shareOfUserMin = 0.2
    /// Of an equal part among clients of one user.
    private static let shareOfClientMin = 0.8 / Double(rivals + 1)

    static func run(_ options: Options, _ stage: Stage, say: (String) -> Void) throws -> [Verdict] {
        let isRoot = geteuid() == 0
        if !isRoot { say("all clients are one user: only root can become another user") }
        // So few calls that the client has asked again before its next turn.
        let server = try stage.searchd(limits: "{perSecond:20,perDay:1000000000,concurrency:8}")
        let crowd = try crowd(server, stage, isOtherUser: isRoot)
        let before = try stage.sandbox.requests()
        let served = try search(server, for: .seconds(options.isLong ? 20 : 5))
        let share = Double(served) / Double(max(1, try stage.sandbox.requests() - before))
        crowd.stop()
        let least = (isRoot ? shareOfUserMin : shareOfClientMin) / (options.isLong ? 1 : 2)
        return [
            Verdict(
                "beside \(rivals) waiting clients of changing names, a client with one search at a time gets its share",
                measured: "\(Unit.percent.text(share)) % of the calls; \(Unit.percent.text(least)) % are enough",
                passed: share >= least
            )
        ]
    }

    /// Makes one new search at a time; returns how many were answered.
    private static func search(_ server: Server, for duration: Duration) throws -> Int {
        let talk = try server.talk()
        let end = SystemCall.now + duration.saturatingNanoseconds
        var served = 0
        while SystemCall.now < end {
            guard Wire.isResult(talk.answer(to: search("참을성 \(served)"), within: Gate.answerMax)) else {
                throw server.process.failure("did not answer the search of a patient client")
            }
            served += 1
        }
        return served
    }

    private static func search(_ query: String) -> [UInt8] {
        Wire.request(2, "search", Wire.search(query, source, #","limit":1,"timeout":60000"#))
    }

    // MARK: The crowd

    /// Starts the other clients; returns once all of them wait.
    private static func crowd(_ server: Server, _ stage: Stage, isOtherUser: Bool) throws -> ChildProcess {
        var command = Command(program: stage.searchbench, arguments: ["crowd-peer", server.socketPath, "\(rivals)"])
        if isOtherUser {
            // The program may be where other users cannot read it.
            command.program = stage.directory.file("crowd-peer")
            try ChildProcess(Command(program: "cp", arguments: [stage.searchbench, command.program])).awaitSuccess()
            for path in [stage.directory.path, server.directory, command.program] {
                // The path lasts as long as the call.
                _ = try SystemCall.checked("opening \(path) to others") { unsafe chmod(path, 0o755) }
            }
            command = command.run(as: rivalUser)
        }
        let process = try ChildProcess(command, log: "\(server.directory)/crowd.log", isHeard: true)
        guard try process.line() != nil else { throw process.failure("of many clients failed") }
        return process
    }

    /// The program `searchbench crowd-peer SOCKET N`: keeps a search waiting on each of N connections, each time under a
    /// new name.
    static func wait(_ socketPath: String, connections: Int, print: (String) -> Void) throws {
        let talks = try (0..<connections).map { _ in try Dialogue(socketPath) }
        var asked = 0
        func ask(_ talk: Dialogue) {
            asked += 1
            let hello = Wire.request(1, "server/hello", #"{"client":"name \#(asked)"}"#)
            talk.send(hello + search("나그네 \(asked)"), until: Gate.deadline)
        }
        for talk in talks { ask(talk) }
        print("\(talks.count) clients wait")
        while true {
            for talk in talks where talk.line(with: #""id":2"#, until: 0) != nil { ask(talk) }
            SystemCall.pause(.milliseconds(1))
        }
    }
}
