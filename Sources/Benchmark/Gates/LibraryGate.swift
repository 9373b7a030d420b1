import EventLoop
import JSON

/// However often the daemon is killed while clients change a library: answered changes are there, nothing is half there,
/// and a follower sees each change once.
struct LibraryGate {
    private static let clients = 8

    private let server: Server
    private var numbers: SeededNumbers
    private var follower = LibraryFollower()
    /// What each client has been answered, and its change that was not answered before the kill.
    private var states = Array(repeating: LibraryState(), count: clients)
    private var pending = [LibraryChange?](repeating: nil, count: clients)
    private var changes = 0
    private var answered = 0
    /// Changes under way at a kill, and how many of them were made.
    private var open = 0
    private var made = 0
    private var revision = 0
    private var losses: [String] = []
    /// How long the latest round took: a kill within that time finds changes under way.
    private var roundTime: Int64 = 0

    static func run(_ options: Options, _ stage: Stage, say: (String) -> Void) throws -> [Verdict] {
        let kills = max(10, options.kills / 10)
        let seed = UInt64.random(in: .min ... .max)
        say("\(kills) kills, seed \(seed)")
        var gate = LibraryGate(server: try stage.searchd(), numbers: SeededNumbers(seed: seed))
        for _ in 0..<kills {
            try gate.live()
            try gate.server.start()
            try gate.look()
        }
        return gate.verdicts(kills)
    }

    private init(server: Server, numbers: SeededNumbers) { (self.server, self.numbers) = (server, numbers) }

    /// Changes come from all clients at once, and during the last of them the daemon is killed.
    private mutating func live() throws {
        let talks = try (0..<Self.clients).map { _ in try server.talk() }
        let following = try follow()
        for _ in 0...Int.random(in: 0...2, using: &numbers) {
            let start = SystemCall.now
            send(to: talks)
            try take(from: talks)
            if pending.contains(where: { $0 != nil }) { throw server.process.failure("did not answer a change") }
            roundTime = SystemCall.now - start
            hear(following)
        }
        send(to: talks)
        SystemCall.pause(.nanoseconds(Int64.random(in: 0...roundTime, using: &numbers)))
        server.kill()
        // Its last answers and notices are still on their way.
        try take(from: talks)
        hear(following)
    }

    private mutating func send(to talks: [Dialogue]) {
        for (client, talk) in talks.enumerated() {
            changes += 1
            let change = LibraryChange.random(of: client, changes, in: states[client], &numbers)
            pending[client] = change
            talk.send(change.request(changes), until: Gate.deadline)
        }
    }

    /// Takes the answers; a change without one stays pending.
    private mutating func take(from talks: [Dialogue]) throws {
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

    private mutating func follow() throws -> Dialogue {
        let talk = try server.talk()
        follower.resume(try talk.result("library/watch", #"{"since":\#(follower.revision)}"#))
        return talk
    }

    /// Takes the notices that have come by now.
    private mutating func hear(_ talk: Dialogue) {
        while let line = talk.line(until: SystemCall.now + 1_000_000) {
            if let notice = (try? JSONDocument(line))?.root["params"] { follower.receive(notice) }
        }
    }

    /// Compares the library with what clients were answered, and with what a follower has seen.
    private mutating func look() throws {
        let list = try server.result("library/list", #"{"limit":1000}"#)
        let (found, now) = (LibraryState(list["items"]), list["revision"]?.int ?? -1)
        if now < revision { losses.append("revision \(now) after \(revision)") }
        revision = max(revision, now)
        for client in 0..<Self.clients {
            var own = LibraryState()
            own.items = found.items.filter { $0.key.hasPrefix("bench.client\(client):") }
            var possible = [states[client]]
            if let change = pending[client] {
                open += 1
                possible.append(states[client])
                possible[1].apply(change)
                made += own == possible[1] && own != possible[0] ? 1 : 0
            }
            if !possible.contains(own) { losses.append("client \(client) finds another state than it was answered") }
            (states[client], pending[client]) = (own, nil)
        }
        _ = try follow()
        if follower.state != found { losses.append("a follower that resumed has another state") }
    }

    private func verdicts(_ kills: Int) -> [Verdict] {
        let problems = follower.problems
        return [
            Verdict(
                "\(kills) kills while \(Self.clients) clients change a library: nothing answered is lost, nothing half there",
                measured: losses.first.map { "\(losses.count) times not, the first: \($0)" }
                    ?? "\(answered) changes answered; of \(open) under way at a kill, \(made) were made",
                passed: losses.isEmpty && answered > 0 && open > 0
            ),
            Verdict(
                "\(kills) kills: a follower sees revisions rise and each change once",
                measured: problems.first.map { "\(problems.count) times not, the first: \($0)" }
                    ?? "revision \(revision)",
                passed: problems.isEmpty
            ),
        ]
    }
}
