import EventLoop
import JSON

/// Compares the throughput of cached searches with Redis and a plain echo server.
enum LoadPart {
    enum Mode: CaseIterable {
        case varied
        case windows
        case identical

        var title: String {
            switch self {
            case .varied: "Cached searches: 256 searches in rotation, every line different"
            case .windows: "Cached searches: a new offset and limit each time"
            case .identical: "Cached searches: one identical line"
            }
        }

        func shareMin(_ connections: Int) -> Double { self == .windows ? 0.2 : connections == 1 ? 0.8 : 0.5 }
    }

    private struct Target {
        let server: Server
        var traffic: [Mode: Traffic]
        var samples: [LoadSample] = []

        var rates: [Double] { samples.map(\.answersPerSecond) }
    }

    static let source = "kakao.blog"
    static let queries = 256
    static let depth = 115
    /// An answer may be this much longer or shorter than the first answer, because ids, ages and times vary.
    private static let lengthVariation = 64

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, progress: (String) -> Void) throws
        -> [Section]
    {
        progress("filling the caches")
        let searchd = try environment.searchd()
        let exchanges = try warm(searchd)
        let lengths = exchanges.map { ($0.length.lowerBound + $0.length.upperBound) / 2 }
        var targets = [Target(server: searchd, traffic: traffic(exchanges))]
        if options.peers.contains("redis") { targets.append(try redis(environment, lengths)) }
        let mean = lengths.reduce(0, +) / lengths.count
        if options.peers.contains("echo") { targets.append(try echo(environment, answerBytes: mean)) }
        return try Mode.allCases.map { mode in
            let notes = ["\(mean) bytes per answer; \(environment.processors.description)"]
            return try measure(mode, &targets, options, notes: notes, progress: progress)
        }
    }

    static func query(_ index: Int) -> String {
        "\(Words.towns[index / 16 % 16]) \(Words.things[index % 16])"
    }

    static func window(_ index: Int) -> (offset: Int, limit: Int) { (index % 4 * 10, [5, 8, 10, 12, 15][index % 5]) }

    static func exchange(_ index: Int, length: ClosedRange<Int>) -> Exchange {
        let (query, window) = (query(index), window(index))
        return Exchange(
            members: [
                #""query":"\#(query)""#, #""sources":["\#(source)"]"#, #""maxAge":86400"#,
                #""offset":\#(window.offset)"#, #""limit":\#(window.limit)"#,
            ].map { Array($0.utf8) },
            defaults: [#""sort":"relevance""#, #""stream":false"#, #""priority":"interactive""#].map { Array($0.utf8) },
            mark: Array(#""query":"\#(query)""#.utf8),
            length: length
        )
    }

    private static func traffic(_ exchanges: [Exchange]) -> [Mode: Traffic] {
        let any = exchanges.map { exchange in
            var exchange = exchange
            exchange.members.removeLast(2)
            exchange.length = 1...Traffic.answerBytesMax
            return exchange
        }
        var windows = Traffic(any)
        windows.hasNewWindows = true
        var one = exchanges[0]
        let members = one.members.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
        one.line = Wire.request(1, "search", "{\(members)}")
        return [.varied: Traffic(exchanges), .windows: windows, .identical: Traffic([one])]
    }

    static func warm(_ server: Server) throws -> [Exchange] {
        let talk = try server.connect()
        return try (0..<queries).map { index in
            let (query, window) = (query(index), window(index))
            _ = try talk.result("search", Wire.search(query, source, #","limit":\#(depth),"maxAge":86400"#))
            let more = #","offset":\#(window.offset),"limit":\#(window.limit),"maxAge":86400"#
            let request = Wire.request(1, "search", Wire.search(query, source, more))
            let line = talk.answer(to: request, within: .seconds(20))
            guard let line, let result = Wire.result(line), result["hits"]?.count == window.limit,
                result["sources"]?[0]?["cache"]?.string == "hit"
            else {
                let text = String(decoding: (line ?? []).prefix(400), as: UTF8.self)
                throw server.process.failure("gave an unexpected answer: \(text)")
            }
            return exchange(index, length: line.count - lengthVariation...line.count + lengthVariation)
        }
    }

    private static func redis(_ environment: BenchmarkEnvironment, _ lengths: [Int]) throws -> Target {
        let server = try environment.redis()
        let talk = try server.connect()
        let exchanges = try lengths.enumerated().map { index, length in
            let (key, mark) = ("search:\(index)", "\n\(index):")
            let value = String((mark.dropFirst() + String(repeating: "x", count: length)).prefix(length))
            let answer = talk.answer(to: Redis.command(["SET", key, value]), within: .seconds(20))
            guard answer == Array("+OK\r".utf8) else { throw server.process.failure("refused to set a key") }
            let bytes = Redis.answerBytes(length)
            return Exchange(line: Redis.command(["GET", key]), mark: Array(mark.utf8), length: bytes...bytes)
        }
        let all = Traffic(exchanges)
        let one = Traffic(Array(exchanges.prefix(1)))
        return Target(server: server, traffic: [.varied: all, .windows: all, .identical: one])
    }

    private static func echo(_ environment: BenchmarkEnvironment, answerBytes: Int) throws -> Target {
        let line = Wire.request(1, "search", Wire.search(query(0), source, #","limit":10,"maxAge":86400"#))
        let traffic = Traffic([Exchange(line: line, length: answerBytes...answerBytes)])
        let all = Dictionary(uniqueKeysWithValues: Mode.allCases.map { ($0, traffic) })
        return Target(server: try environment.echo(answerBytes: answerBytes), traffic: all)
    }

    private static func measure(
        _ mode: Mode,
        _ targets: inout [Target],
        _ options: Options,
        notes: [String],
        progress: (String) -> Void
    ) throws -> Section {
        var section = Section(title: mode.title, notes: notes)
        section.notes.append("medians of \(options.rounds) rounds of \(options.seconds) s; extremes in brackets")
        let names = targets.map(\.server.name)
        var rates = ResultTable(["answers/s"] + names + names.dropFirst().map { "searchd/\($0)" })
        var costs = ResultTable(["", "", "p50 µs", "p99 µs", "processor µs/answer", "generator load"])
        for connections in options.connections {
            let row = connections == 1 ? "1 connection" : "\(connections) connections"
            progress("\(mode), \(row)")
            for index in targets.indices { targets[index].samples = [] }
            for _ in 0..<options.rounds {
                for index in targets.indices {
                    guard let traffic = targets[index].traffic[mode] else { continue }
                    let load = try LoadGenerator(targets[index].server, traffic, connections: connections)
                    targets[index].samples.append(try load.measure(.seconds(options.seconds)))
                    targets[index].traffic[mode] = load.traffic
                }
            }
            let ratios = targets.dropFirst().map { Spread(ratiosOf: targets[0].rates, to: $0.rates) }
            rates.add(
                row,
                targets.map { Unit.count.median($0.rates) } + ratios.map { $0.map(Unit.ratio.text) ?? "–" }
            )
            for target in targets {
                costs.add(row, [target.server.name] + cells(target.samples))
                section.failures += [LoadSample.failure(target.samples, target.server.name)].compactMap(\.self)
            }
            for (name, ratio) in zip(names.dropFirst(), ratios) where name == "redis" {
                let share = mode.shareMin(connections)
                let target = "at least \(Unit.ratio.text(share)) of Redis's throughput with \(row)"
                section.verdicts.append(Verdict(target, ratio, .ratio, atLeast: share))
            }
        }
        section.tables = [rates, costs]
        return section
    }

    private static func cells(_ samples: [LoadSample]) -> [String] {
        [
            Unit.microseconds.median(samples.map { $0.latencies.percentile(0.5) }),
            Unit.microseconds.median(samples.map { $0.latencies.percentile(0.99) }),
            Unit.microseconds.median(samples.map(\.timePerAnswer)), Unit.ratio.median(samples.map(\.generatorLoad)),
        ]
    }
}
