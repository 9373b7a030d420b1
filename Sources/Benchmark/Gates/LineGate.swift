import EventLoop
import JSON

/// Text that a careless program processes slowly, as UTF-8 that needs no escapes in JSON.
struct HostileText {
    let name: String
    private let unit: [UInt8]

    static let all = [
        // Each pair stands in the wrong order, so that comparing has to sort all of them.
        HostileText("combining marks", "\u{301}\u{316}"), HostileText("escaped marks", #"\u0301\u0316"#),
        HostileText("jamo", "\u{1112}\u{1161}\u{11AB}"), HostileText("plain letters", "a"),
        HostileText("entities", "&amp;"), HostileText("emoji with joiners", "\u{1F469}\u{200D}"),
        HostileText("brackets", "[{<("),
    ]
    /// The texts of a short run.
    static let first = Array(all.prefix(4))

    init(_ name: String, _ unit: String) { (self.name, self.unit) = (name, Array(unit.utf8)) }

    /// As many whole units as fit into so many bytes.
    func bytes(_ count: Int) -> [UInt8] { Array(repeatElement(unit, count: count / unit.count).joined()) }
}

/// No line of a megabyte delays other clients, whatever its text.
enum LineGate {
    static let lineBytesMax = 1 << 20
    /// A turn of 10 ms, and what the machine adds.
    private static let pingMax: Int64 = 100_000_000
    /// A turn may take so long, in milliseconds as the daemon's histogram names them.
    private static let turnMax = "10"
    private static let answerMax: Int64 = 10_000_000_000
    /// Other load on the machine does not disturb every attempt.
    private static let attemptsMax = 5

    /// Lines by the position of the text, which `%` stands for.
    static let positions: [(name: String, line: String)] =
        [
            ("the method", #"{"jsonrpc":"2.0","id":7,"method":"%"}"#),
            ("the id", #"{"jsonrpc":"2.0","id":"%","method":"server/ping"}"#),
            ("a member of the envelope", #"{"jsonrpc":"2.0","id":7,"method":"server/ping","%":1}"#),
            ("a cancellation's id", #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"%"}}"#),
            ("raw bytes", "%"), ("hello's client", Wire.object(7, "server/hello", #"{"client":"%"}"#)),
        ]
        + parameters.flatMap { name, params in
            let batch = (7...16).map { Wire.object($0, "search", params) }.joined(separator: ",")
            return [("a search's \(name)", Wire.object(7, "search", params)), ("a batch's \(name)", "[\(batch)]")]
        }

    private static let parameters: [(name: String, params: String)] = [
        ("query", #"{"query":"%"}"#), ("sources", #"{"query":"a","sources":["%","*%*"]}"#),
        ("kinds", #"{"query":"a","kinds":["%","blog"]}"#), ("cursor", #"{"query":"a","cursor":"%"}"#),
        ("channel", #"{"query":"a","channel":"%","debounce":150}"#), ("sort", #"{"query":"a","sort":"%"}"#),
        ("options", #"{"query":"a","options":{"%":{"a":1},"naver.image":{"%":1,"filter":"%"}}}"#),
        ("unknown parameters", #"{"query":"a","%":1,"%":2}"#),
        ("filter", #"{"query":"a","filter":{"site":"%","since":"%"}}"#),
    ]

    private struct Outcome {
        var ping: Int64 = 0
        var longTurns = 0
        var isAnswered = false

        var hasPassed: Bool { isAnswered && ping <= pingMax && longTurns == 0 }
    }

    static func run(_ options: GateOptions, _ stage: Stage, say: (String) -> Void) throws -> [Verdict] {
        let server = try stage.searchd()
        return try positions.enumerated().map { index, position in
            if index.isMultiple(of: 6) { say("\(index) of \(positions.count) positions") }
            var failed: [String] = []
            var longest: Int64 = 0
            for text in options.isLong ? HostileText.all : HostileText.first {
                let line = line(position.line, text)
                var outcome = try attempt(line, server, isLong: options.isLong)
                for _ in 1..<attemptsMax where !outcome.hasPassed && outcome.isAnswered {
                    outcome = try attempt(line, server, isLong: options.isLong)
                }
                longest = max(longest, outcome.ping)
                if !outcome.hasPassed { failed.append("\(text.name) (\(outcome.longTurns) turns over \(turnMax) ms)") }
                if !outcome.isAnswered {
                    server.kill()
                    try server.start()
                }
            }
            let problem = failed.isEmpty ? "" : ", failed with \(failed.joined(separator: ", "))"
            return Verdict(
                "a line of 1 MiB of hostile text as \(position.name) delays nobody",
                measured: "another client's longest ping \(Unit.milliseconds.text(longest)) ms\(problem)",
                passed: failed.isEmpty
            )
        }
    }

    /// A line of the maximum length, without its line feed.
    static func line(_ template: String, _ text: HostileText, bytesMax: Int = lineBytesMax) -> [UInt8] {
        let pieces = Array(template.utf8).split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        let room = bytesMax - pieces.reduce(0) { $0 + $1.count }
        return Array(pieces.joined(separator: text.bytes(room / (pieces.count - 1))))
    }

    private static func attempt(_ line: [UInt8], _ server: Server, isLong: Bool) throws -> Outcome {
        let turns = longTurns(server)
        let work = try server.process.processorTime()
        let probe = try Probe(server)
        let talk = try server.talk()
        let mark = #""id":"after""#
        let after = "\n{\"jsonrpc\":\"2.0\",\(mark),\"method\":\"server/ping\"}\n"
        let deadline = SystemCall.now + answerMax
        var outcome = Outcome()
        outcome.isAnswered =
            talk.send(line + Array(after.utf8), until: deadline) && talk.line(with: mark, until: deadline) != nil
        let window = probe.stop()
        outcome.ping = window.longest
        outcome.isAnswered = outcome.isAnswered && !window.isBroken && server.process.isRunning
        // Short runs may share their processors: a turn then takes long without work.
        if isLong, outcome.isAnswered, try server.process.processorTime() - work > 10_000_000 {
            outcome.longTurns = longTurns(server) - turns
        }
        return outcome
    }

    /// How many turns of its loop took too long so far, as the daemon counts them.
    private static func longTurns(_ server: Server) -> Int {
        guard let turns = try? server.result("server/stats")["loop"]?["turns"], let count = turns["count"]?.int,
            let short = turns["atMost"]?[turnMax]?.int
        else { return 0 }
        return count - short
    }
}
