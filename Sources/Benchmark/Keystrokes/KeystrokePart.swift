import Hangul
import JSON

/// What a keystroke costs that is answered from here, beside a cached search: of processor time.
enum KeystrokePart {
    private static let scenario = Scenario(connections: 16)
    /// So many of the searches that filled the cache are what an unfinished query may become.
    private static let words = 64
    private static let ratioMax = 1.5
    private static let lengthVariationMax = 64

    /// How a request is answered.
    private enum Way: CaseIterable {
        case repeated
        /// Put together anew each time, as for a line that has not come before.
        case anew

        var name: String { self == .repeated ? "the same line again" : "a new line" }
        /// A private search is kept nowhere, so it is never answered by what an equal line was.
        var more: String { self == .repeated ? "" : #","private":true"# }
    }

    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        guard options.peers.contains(.searchd) else { return [] }
        progress("keystrokes: those that are answered from here, and cached searches")
        let peer = try factory.launch(factory.plan(.searchd))
        try peer.awaitReady(pausing: .milliseconds(1))
        _ = try SearchdPeer.traffic(peer)
        let numbers = SearchRequests.count - words..<SearchRequests.count
        let searches = numbers.map { SearchRequests.query($0) }
        var table = ResultTable(["µs of processor time", "cached search", "keystroke", "ratio"])
        var verdicts: [Verdict] = []
        var wrong = 0
        for way in Way.allCases {
            let cached = try traffic(searches, way.more, of: peer)
            let typed = try traffic(searches.map(unfinished), way.more + #","channel":"typing""#, of: peer)
            var samples: [(cached: LoadSample, typed: LoadSample)] = []
            for _ in 0..<options.rounds {
                samples.append((try peer.load(cached, scenario, options), try peer.load(typed, scenario, options)))
            }
            wrong += samples.reduce(0) { $0 + $1.cached.wrong + $1.typed.wrong }
            let ratio = Spread(
                ratiosOf: samples.map(\.typed.serverTimePerAnswer),
                to: samples.map(\.cached.serverTimePerAnswer)
            )
            table.add(
                way.name,
                [
                    .rounds(Spread(samples.map(\.cached.serverTimePerAnswer)), .microseconds),
                    .rounds(Spread(samples.map(\.typed.serverTimePerAnswer)), .microseconds),
                    .rounds(ratio, .ratio, withExtremes: true),
                ]
            )
            verdicts.append(
                Verdict(
                    "a keystroke that is answered from here costs at most 1.5 times a cached search, \(way.name)",
                    measured: Numbers.ratio(ratio),
                    passed: (ratio?.median ?? .infinity) <= ratioMax
                )
            )
        }
        return [
            Report.Section(
                name: "keystrokes",
                title: "Keystrokes that are answered from here",
                notes: [
                    "\(scenario.name), a channel each; \(words) words that end in an unfinished syllable; medians of "
                        + "\(options.rounds) rounds"
                ],
                tables: [table],
                verdicts: verdicts,
                failures: wrong == 0 ? [] : ["\(wrong) wrong answers"]
            )
        ]
    }

    /// A query as it stands when of its last syllable only the first letter has been typed.
    private static func unfinished(_ query: String) -> String {
        let letter = query.unicodeScalars.suffix(1).map(Jamo.initial)
        return query.dropLast() + String(String.UnicodeScalarView(letter))
    }

    /// Requests for these queries, and what right answers to them are: ten hits each.
    private static func traffic(_ queries: [String], _ more: String, of peer: Peer) throws(BenchmarkError) -> Traffic {
        let dialogue = try Dialogue(peer.socketPath)
        var exchanges: [Traffic.Exchange] = []
        for query in queries {
            let parameters = #""query":"\#(query)","sources":["kakao.video"],"limit":10,"maxAge":86400\#(more)"#
            let tail = Array(#","method":"search","params":{\#(parameters)}}"#.utf8) + [UInt8(ascii: "\n")]
            try dialogue.send(SearchRequests.head + [UInt8(ascii: "1")] + tail)
            let line = try dialogue.frame(.line)
            let result = (try? JSONDocument(line).root)?["result"]
            guard result?["hits"]?.count == 10, let repeated = result?["query"], repeated.string == query else {
                let text = String(decoding: line.prefix(400), as: UTF8.self)
                throw peer.process.failure("answered a keystroke with \(text)")
            }
            exchanges.append(
                Traffic.Exchange(
                    head: SearchRequests.head,
                    tail: tail,
                    mark: Array("\"query\":".utf8) + repeated.text,
                    length: max(1, line.count - lengthVariationMax)...line.count + lengthVariationMax
                )
            )
        }
        return Traffic(exchanges, framing: .jsonRPC)
    }
}
