import EventLoop

/// A text that may be slow to process.
///
/// The text is already escaped for a JSON string.
struct HostileText {
    let name: String
    private let unit: [UInt8]

    static let all = [
        // The two marks are in the wrong order, so normalisation must sort them.
        HostileText("combining marks", "\u{301}\u{316}"), HostileText("escaped marks", #"\u0301\u0316"#),
        HostileText("jamo", "\u{1112}\u{1161}\u{11AB}"), HostileText("plain letters", "a"),
        HostileText("entities", "&amp;"), HostileText("emoji with joiners", "\u{1F469}\u{200D}"),
        HostileText("brackets", "[{<("),
    ]

    init(_ name: String, _ unit: String) { (self.name, self.unit) = (name, Array(unit.utf8)) }

    func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count / unit.count { bytes += unit }
        return bytes
    }
}

/// Checks that a line of 1 MiB with a hostile text does not delay other clients.
enum LineGate {
    static let lineBytesMax = 1 << 20
    /// The maximum wait for the answer to a ping, in nanoseconds.
    ///
    /// A single task of the event loop may take a tenth of this time.
    private static let pingMax = 100e6
    /// The best attempt counts, because other load on the machine can delay pings.
    private static let attemptsMax = 5

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

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict]
    {
        let server = try environment.searchd(accounts: Sandbox.accounts)
        let most = Int64(options.limit(pingMax))
        return try positions.enumerated().map { index, position in
            if index.isMultiple(of: 6) { say("\(index) of \(positions.count) positions") }
            var failed: [String] = []
            var longest: Int64 = 0
            for text in HostileText.all.prefix(options.isLong ? .max : 4) {
                let ping = try ping(during: line(position.line, text), server, atMost: most)
                longest = max(longest, ping)
                if ping > most { failed.append(text.name) }
            }
            let problem = failed.isEmpty ? "" : ", failed with \(failed.joined(separator: ", "))"
            return Verdict(
                "a line with 1 MiB of hostile text as \(position.name) does not delay other clients",
                measured: "longest ping \(Unit.milliseconds.text(longest)) ms\(problem)",
                passed: failed.isEmpty
            )
        }
    }

    static func line(_ template: String, _ text: HostileText, bytesMax: Int = lineBytesMax) -> [UInt8] {
        let pieces = Array(template.utf8).split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        let room = bytesMax - pieces.reduce(0) { $0 + $1.count }
        let filling = text.bytes(room / (pieces.count - 1))
        return pieces.dropFirst().reduce(into: Array(pieces[0])) { $0 += filling + $1 }
    }

    private static func ping(during line: [UInt8], _ server: Server, atMost: Int64) throws -> Int64 {
        var best = Int64.max
        for _ in 0..<attemptsMax where best > atMost {
            guard let ping = try attempt(line, server) else {
                server.kill()
                try server.start()
                return .max
            }
            best = min(best, ping)
        }
        return best
    }

    private static func attempt(_ line: [UInt8], _ server: Server) throws -> Int64? {
        let probe = try Probe(server)
        let talk = try server.connect()
        let mark = #""id":"after""#
        let after = "\n{\"jsonrpc\":\"2.0\",\(mark),\"method\":\"server/ping\"}\n"
        let deadline = Gate.deadline
        let isAnswered =
            talk.send(line + Array(after.utf8), until: deadline) && talk.line(with: mark, until: deadline) != nil
        let result = probe.stop()
        return isAnswered && !result.isBroken && server.process.isRunning ? result.latencies.longest : nil
    }
}
