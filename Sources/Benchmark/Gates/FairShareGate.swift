import EventLoop
import Glibc

/// Checks that a client with one search at a time gets its share of a source while many other clients wait for the
/// source.
///
/// If this program runs as root, the other clients belong to another user.
enum FairShareGate {
    private static let rivals = 32
    /// The minimum share of the calls if the other clients belong to another user.
    private static let shareOfUserMin = 0.2
    /// The minimum share if all clients belong to one user: 80 % of an equal part.
    private static let shareOfClientMin = 0.8 / Double(rivals + 1)

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict]
    {
        if Gate.otherUser == nil { say("not root: all clients belong to the same user") }
        // Few calls per second, so the client always sends its next search before its next turn.
        let server = try environment.searchd(limits: ["kakao": "{perSecond:20,perDay:1000000000,concurrency:8}"])
        // From now on, only the thread uses the connections.
        nonisolated(unsafe) let talks = try server.connect(rivals, as: Gate.otherUser)
        let crowd = try WorkerThread { unsafe wait(on: talks) }
        let before = try environment.sandbox.calls()
        let served = try search(server, for: .seconds(options.isLong ? 20 : 5))
        let share = Double(served) / Double(max(1, try environment.sandbox.calls() - before))
        server.process.stop()
        crowd.join()
        let least = (Gate.otherUser == nil ? shareOfClientMin : shareOfUserMin) / (options.isLong ? 1 : 2)
        return [
            Verdict(
                "a client with one search at a time gets its share despite \(rivals) waiting clients with changing "
                    + "names",
                measured: "\(Unit.percent.text(share)) % of the calls (minimum \(Unit.percent.text(least)) %)",
                passed: share >= least
            )
        ]
    }

    /// Sends one new search at a time and returns the number of answers.
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
        Wire.request(2, "search", Wire.search(query, "kakao.blog", #","limit":1,"timeout":60000"#))
    }

    /// Keeps one search waiting on each connection, each time with a new client name, until the daemon ends.
    private static func wait(on talks: [ServerConnection]) {
        var count = 0
        var isWaiting = [Bool](repeating: false, count: talks.count)
        while !talks.contains(where: \.isClosed) {
            for (index, talk) in talks.enumerated() {
                isWaiting[index] = isWaiting[index] && talk.line(with: #""id":2"#, until: 0) == nil
                if isWaiting[index] { continue }
                isWaiting[index] = true
                count += 1
                let hello = Wire.request(1, "server/hello", #"{"client":"name \#(count)"}"#)
                talk.send(hello + search("나그네 \(count)"), until: Gate.deadline)
            }
            SystemCall.pause(.milliseconds(1))
        }
    }
}
