import EventLoop
import JSON

/// Measures the throughput of cached searches, compared with Redis.
enum LoadPart {
    /// How the requests differ from each other.
    enum Mode: CaseIterable {
        case varied
        case windows

        var title: String {
            switch self {
            case .varied: "Cached searches: 256 searches in rotation, every line different"
            case .windows: "Cached searches: a new window each time"
            }
        }

        /// The target as a share of Redis's throughput.
        func shareMin(_ connections: Int) -> Double { self == .windows ? 0.2 : connections == 1 ? 0.8 : 0.5 }
    }

    static let source = "kakao.blog"
    static let queries = 256
    /// The end of the largest window, as an offset.
    static let depth = 115
    /// How much the length of an answer varies, because ids, ages and times have different numbers of digits.
    private static let lengthVariation = 64

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, progress: (String) -> Void) throws
        -> [Section]
    {
        progress("filling the caches")
        let searchd = try environment.searchd()
        let exchanges = try warm(searchd)
        let lengths = exchanges.map { ($0.length.lowerBound + $0.length.upperBound) / 2 }
        var servers = [searchd]
        var traffic = [[Mode.varied: Traffic(exchanges), .windows: windows(exchanges)]]
        if !options.isAlone {
            let (redis, other) = try redis(environment, lengths)
            servers.append(redis)
            traffic.append([.varied: other, .windows: other])
        }
        let mean = lengths.reduce(0, +) / lengths.count
        return try Mode.allCases.map { mode in
            var section = Section(
                title: mode.title,
                notes: ["\(mean) bytes per answer; \(environment.processors.description)", options.roundsNote]
            )
            let contest = Contest(servers: servers, connections: options.connections, figure: \.answersPerSecond) {
                let share = mode.shareMin($0)
                return ("at least \(Unit.ratio.text(share)) of Redis's throughput", share, nil)
            }
            try contest.run(&section, rounds: options.rounds, progress: progress) { index, connections in
                guard let next = traffic[index][mode] else { preconditionFailure("a server has traffic for each mode") }
                let load = try LoadGenerator(servers[index], next, connections: connections)
                defer { traffic[index][mode] = load.traffic }
                return try load.measure(.seconds(options.seconds))
            }
            return section
        }
    }

    // MARK: Requests

    static func query(_ index: Int) -> String {
        "\(Words.towns[index / 16 % 16]) \(Words.things[index % 16])"
    }

    /// Returns the window of a search in the rotation.
    static func window(_ index: Int) -> (offset: Int, limit: Int) { (index % 4 * 10, [5, 8, 10, 12, 15][index % 5]) }

    static func exchange(_ index: Int, length: ClosedRange<Int>) -> Exchange {
        let (query, window) = (query(index), window(index))
        return Exchange(
            members: [
                #""query":"\#(query)""#, #""sources":["\#(source)"]"#, #""maxAge":86400"#,
                #""offset":\#(window.offset)"#, #""limit":\#(window.limit)"#,
            ],
            defaults: [#""sort":"relevance""#, #""stream":false"#, #""priority":"interactive""#],
            mark: Array(#""query":"\#(query)""#.utf8),
            length: length
        )
    }

    private static func windows(_ exchanges: [Exchange]) -> Traffic {
        let any = exchanges.map { exchange in
            var exchange = exchange
            exchange.members.removeLast(2)
            exchange.length = 1...Traffic.answerBytesMax
            return exchange
        }
        var windows = Traffic(any)
        windows.hasNewWindows = true
        return windows
    }

    /// Fills the cache with all pages and determines the length of every answer.
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

    /// Starts Redis with values as long as the answers of searchd.
    private static func redis(_ environment: BenchmarkEnvironment, _ lengths: [Int]) throws -> (Server, Traffic) {
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
        return (server, Traffic(exchanges))
    }
}
