import EventLoop
import JSON

/// Kills the daemon repeatedly while clients change a library.
///
/// Checks that no answered change is lost.
struct LibraryGate {
    private static let clients = 8

    private let server: Server
    private var numbers: SeededNumbers
    private var follower = LibraryFollower()
    private var states = Array(repeating: LibraryState(), count: clients)
    private var pending = [LibraryChange?](repeating: nil, count: clients)
    private var changes = 0
    private var answered = 0
    private var interrupted = 0
    private var applied = 0
    private var revision = 0
    private var losses: [String] = []
    private var roundTime: Int64 = 0

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict]
    {
        let kills = max(10, options.kills / 10)
        let seed = UInt64.random(in: .min ... .max)
        say("\(kills) kills, seed \(seed)")
        var gate = LibraryGate(server: try environment.searchd(), numbers: SeededNumbers(seed: seed))
        for _ in 0..<kills {
            try gate.changeAndKill()
            try gate.server.start()
            try gate.compare()
        }
        return gate.verdicts(kills)
    }

    private init(server: Server, numbers: SeededNumbers) { (self.server, self.numbers) = (server, numbers) }

    private mutating func changeAndKill() throws {
        let talks = try (0..<Self.clients).map { _ in try server.connect() }
        let following = try follow()
        for _ in 0...Int.random(in: 0...2, using: &numbers) {
            let start = SystemCall.now
            sendChanges(to: talks)
            try receiveAnswers(from: talks)
            if pending.contains(where: { $0 != nil }) { throw server.process.failure("did not answer a change") }
            roundTime = SystemCall.now - start
            receiveNotices(following)
        }
        sendChanges(to: talks)
        SystemCall.pause(.nanoseconds(Int64.random(in: 0...roundTime, using: &numbers)))
        server.kill()
        try receiveAnswers(from: talks)
        receiveNotices(following)
    }

    private mutating func sendChanges(to talks: [ServerConnection]) {
        for (client, talk) in talks.enumerated() {
            changes += 1
            let change = LibraryChange.random(of: client, changes, in: states[client], &numbers)
            pending[client] = change
            talk.send(change.request(changes), until: Gate.deadline)
        }
    }

    private mutating func receiveAnswers(from talks: [ServerConnection]) throws {
        for (client, talk) in talks.enumerated() {
            guard let change = pending[client], let line = talk.line(until: Gate.deadline) else {
                continue
            }
            guard let new = Wire.result(line)?["revision"]?.int else {
                throw BenchmarkError("a change was refused: \(String(decoding: line.prefix(400), as: UTF8.self))")
            }
            answered += 1
            revision = max(revision, new)
            states[client].apply(change)
            pending[client] = nil
        }
    }

    private mutating func follow() throws -> ServerConnection {
        let talk = try server.connect()
        follower.resume(try talk.result("library/watch", #"{"since":\#(follower.revision)}"#))
        return talk
    }

    private mutating func receiveNotices(_ talk: ServerConnection) {
        while let line = talk.line(until: SystemCall.now + 1_000_000) {
            if let notice = (try? JSONDocument(line))?.root["params"] { follower.receive(notice) }
        }
    }

    private mutating func compare() throws {
        let list = try server.result("library/list", #"{"limit":1000}"#)
        let (found, now) = (LibraryState(list["items"]), list["revision"]?.int ?? -1)
        if now < revision { losses.append("revision \(now) after \(revision)") }
        revision = max(revision, now)
        for client in 0..<Self.clients {
            var own = LibraryState()
            own.items = found.items.filter { $0.key.hasPrefix("bench.client\(client):") }
            var possible = [states[client]]
            if let change = pending[client] {
                interrupted += 1
                possible.append(states[client])
                possible[1].apply(change)
                applied += own == possible[1] && own != possible[0] ? 1 : 0
            }
            if !possible.contains(own) { losses.append("unexpected items of client \(client)") }
            (states[client], pending[client]) = (own, nil)
        }
        _ = try follow()
        if follower.state != found { losses.append("the subscriber has a different state") }
    }

    private func verdicts(_ kills: Int) -> [Verdict] {
        let problems = follower.problems
        return [
            Verdict(
                "\(kills) kills while \(Self.clients) clients change a library: no answered change is lost or partial",
                measured: losses.first.map { "\(losses.count) errors, the first: \($0)" }
                    ?? "\(answered) changes answered; \(applied) of \(interrupted) interrupted changes applied",
                passed: losses.isEmpty && answered > 0 && interrupted > 0
            ),
            Verdict(
                "\(kills) kills: a subscriber sees increasing revisions and each change once",
                measured: problems.first.map { "\(problems.count) errors, the first: \($0)" }
                    ?? "revision \(revision)",
                passed: problems.isEmpty
            ),
        ]
    }
}
