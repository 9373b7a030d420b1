import EventLoop
import JSON

/// Kills the daemon repeatedly while clients change a library.
///
/// Checks that answered changes are kept, that no change is partial, and that a subscriber receives each change once.
struct LibraryGate {
    private static let clients = 8

    private let server: Server
    private var numbers: SeededNumbers
    private var follower = LibraryFollower()
    /// The expected items of each client, from its answered changes.
    private var states = Array(repeating: LibraryState(), count: clients)
    /// The change of each client that is not answered yet.
    private var pending = [LibraryChange?](repeating: nil, count: clients)
    private var changes = 0
    private var answered = 0
    /// The number of changes that were not answered before a kill.
    private var interrupted = 0
    private var revision = 0
    private var losses: [String] = []
    /// The duration of the latest round, because a kill within that time interrupts changes.
    private var roundTime: Int64 = 0

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict]
    {
        let kills = max(10, options.kills / 10)
        let seed = UInt64.random(in: .min ... .max)
        say("\(kills) kills, seed \(seed)")
        var gate = LibraryGate(server: try environment.searchd(), numbers: SeededNumbers(seed: seed))
        for _ in 0..<kills {
            try gate.changeAndKill()
            try gate.compare()
        }
        let (losses, problems) = (gate.losses, gate.follower.problems)
        return [
            Verdict(
                "\(kills) kills while \(clients) clients change a library: no answered change is lost or partial",
                measured: losses.first.map { "\(losses.count) errors, the first: \($0)" }
                    ?? "\(gate.answered) changes answered, \(gate.interrupted) interrupted",
                passed: losses.isEmpty && gate.answered > 0 && gate.interrupted > 0
            ),
            Verdict(
                "\(kills) kills: a follower sees increasing revisions and each change once",
                measured: problems.first.map { "\(problems.count) errors, the first: \($0)" }
                    ?? "revision \(gate.revision)",
                passed: problems.isEmpty
            ),
        ]
    }

    private init(server: Server, numbers: SeededNumbers) { (self.server, self.numbers) = (server, numbers) }

    /// Makes rounds of concurrent changes, and kills the daemon during the last round.
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
        try server.restart()
        // The last answers and notices may still be in the sockets.
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

    /// Receives the answers and leaves changes without an answer pending.
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
            change.apply(to: &states[client])
            pending[client] = nil
        }
    }

    private mutating func follow() throws -> ServerConnection {
        let talk = try server.connect()
        follower.resume(try talk.result("library/watch", #"{"since":\#(follower.revision)}"#))
        return talk
    }

    /// Processes the notices that have arrived.
    private mutating func receiveNotices(_ talk: ServerConnection) {
        while let line = talk.line(until: SystemCall.now + 1_000_000) {
            if let notice = (try? JSONDocument(line))?.root["params"] { follower.receive(notice) }
        }
    }

    /// Compares the library with the expected items of each client, and with the state of the follower.
    private mutating func compare() throws {
        let list = try server.result("library/list", #"{"limit":1000}"#)
        let (found, now) = (LibraryChange.state(list["items"]), list["revision"]?.int ?? -1)
        if now < revision { losses.append("revision \(now) after \(revision)") }
        revision = max(revision, now)
        for client in 0..<Self.clients {
            let own = found.filter { $0.key.hasPrefix("bench.client\(client):") }
            var possible = [states[client]]
            if let change = pending[client] {
                interrupted += 1
                possible.append(states[client])
                change.apply(to: &possible[1])
            }
            if !possible.contains(own) { losses.append("unexpected items of client \(client)") }
            (states[client], pending[client]) = (own, nil)
        }
        _ = try follow()
        if follower.state != found { losses.append("the follower has a different state") }
    }
}

/// The part of a library that the changes below affect: the tags and the texts of notes of each item.
typealias LibraryState = [String: Set<String>]

/// A change of a library by a client.
enum LibraryChange {
    case save([String], tag: String)
    case tag([String], tag: String)
    case note(String, text: String)
    case remove([String])

    /// Reads a list of items.
    static func state(_ list: JSONCursor?) -> LibraryState {
        var state = LibraryState()
        for item in list?.elements ?? [] {
            let tags = item["tags"]?.elements.compactMap(\.string) ?? []
            let notes = item["notes"]?.elements.compactMap { $0["text"]?.string } ?? []
            if let id = item["id"]?.string { state[id] = Set(tags + notes) }
        }
        return state
    }

    func apply(to state: inout LibraryState) {
        switch self {
        case .save(let ids, let word), .tag(let ids, let word):
            for id in ids { state[id, default: []].insert(word) }
        case .note(let id, let text): state[id]?.insert(text)
        case .remove(let ids): for id in ids { state[id] = nil }
        }
    }

    /// Returns a random valid change; `number` makes its effect recognisable.
    static func random(of client: Int, _ number: Int, in state: LibraryState, _ numbers: inout SeededNumbers) -> Self {
        let saved = state.keys.sorted()
        let choice = Int.random(in: 0..<10, using: &numbers)
        guard let one = saved.randomElement(using: &numbers), choice >= 4 else {
            let keys = Set((0..<3).map { _ in Int.random(in: 0..<20, using: &numbers) })
            return .save(keys.sorted().map { "bench.client\(client):\($0)" }, tag: "t\(number % 50)")
        }
        let several = Array(saved.shuffled(using: &numbers).prefix(3))
        if choice < 6 { return .note(one, text: "n\(number)") }
        return choice < 8 ? .tag(several, tag: "t\(number % 50)") : .remove(several)
    }

    func request(_ id: Int) -> [UInt8] {
        func list(_ ids: [String]) -> String { ids.map { "\"\($0)\"" }.joined(separator: ",") }
        switch self {
        case .save(let ids, let tag):
            let items = ids.map { id in
                #"{"id":"\#(id)","source":"\#(id.prefix { $0 != ":" })","kind":"book","title":"고양이 \#(id)"}"#
            }
            let params = #"{"items":[\#(items.joined(separator: ","))],"tags":["\#(tag)"]}"#
            return Wire.request(id, "library/save", params)
        case .tag(let ids, let tag):
            return Wire.request(id, "library/tag", #"{"ids":[\#(list(ids))],"add":["\#(tag)"]}"#)
        case .note(let item, let text):
            return Wire.request(id, "library/note", #"{"id":"\#(item)","note":{"text":"\#(text)"}}"#)
        case .remove(let ids): return Wire.request(id, "library/remove", #"{"ids":[\#(list(ids))]}"#)
        }
    }
}

/// The state of a client that follows the changes of a library across restarts of the daemon.
///
/// Invariant: without `problems`, `state` is the library at `revision`.
struct LibraryFollower {
    private(set) var revision = 0
    private(set) var state = LibraryState()
    private(set) var problems: [String] = []

    /// Processes the answer to `library/watch` since the known revision.
    mutating func resume(_ answer: JSONCursor) {
        let now = answer["revision"]?.int ?? -1
        if now < revision { problems.append("resumed at revision \(now) after \(revision)") }
        revision = now
        if let all = answer["items"] { state = LibraryChange.state(all) } else { apply(answer) }
    }

    /// Processes a notice of one change.
    mutating func receive(_ notice: JSONCursor) {
        let now = notice["revision"]?.int ?? -1
        let (inserted, updated) = (LibraryChange.state(notice["inserted"]), LibraryChange.state(notice["updated"]))
        if now <= revision { problems.append("revision \(now) after \(revision)") }
        if notice["reset"]?.bool == true { problems.append("reset at revision \(now)") }
        problems += inserted.keys.filter { state[$0] != nil }.map { "\($0) was inserted twice" }
        problems += updated.keys.filter { state[$0] == nil }.map { "\($0) changed before it was inserted" }
        revision = now
        apply(notice)
    }

    private mutating func apply(_ change: JSONCursor) {
        for id in change["deleted"]?.elements ?? [] { if let id = id.string { state[id] = nil } }
        for member in ["inserted", "updated"] { state.merge(LibraryChange.state(change[member])) { $1 } }
    }
}
