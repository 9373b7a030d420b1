import EventLoop
import Glibc
import JSON

/// What a user's library costs, beside SQLite alone.
enum LibraryPart {
    private static let clients = 16
    private static let step = 1_000
    private static let queriesPerRound = 100
    /// More than can be saved in one second.
    private static let itemsPerSecond = 30_000.0
    private static let commitsMax = 2.5
    private static let loopShareMin = 0.4
    private static let searchMax = 50e6
    private static let suggestMax = 5e6

    static func run(_ options: Options, _ stage: Stage, progress: (String) -> Void) throws -> [Section] {
        progress("library: saving")
        let saving = try saving(options, stage)
        progress("library: saving \(options.items) items and searching them")
        let searching = try searching(options, stage)
        progress("library: suggestions among \(options.items / 2) titles")
        return [saving, searching, try suggesting(options, stage)]
    }

    // MARK: Saving

    /// Rounds of one measurement: nanoseconds of a commit of searchd's clients, and of the C loop.
    private struct Commits {
        var searchd: [Double] = []
        var against: [Double] = []
        var loop: [Double] = []
    }

    private static func saving(_ options: Options, _ stage: Stage) throws -> Section {
        var texts = LibraryTexts(seed: 2)
        let count = Int(itemsPerSecond * options.seconds) + 10_000
        let peer = SQLitePeer(file: stage.directory.file("loop.sqlite"), processors: stage.processors)
        var section = Section(
            title: "Saving, each save answered when it is durable",
            notes: [
                "the C loop saves the same items in a table with a full-text index, one or \(clients) in a commit",
                "medians of \(options.rounds) rounds of \(options.seconds) s; extremes in brackets",
            ]
        )
        var table = ResultTable(["", "searchd", "C loop", "ratio", "searchd/against"])
        for clients in [1, clients] {
            var commits = Commits()
            for round in 0..<options.rounds {
                for server in try stage.searchds() {
                    let items = texts.items(count, "\(server.name)\(clients)-\(round)-")
                    let load = try LoadGenerator(server, traffic(items), connections: clients)
                    let sample = try load.measure(.seconds(options.seconds))
                    let perCommit = Double(clients) * 1e9 / sample.answersPerSecond
                    if server.name == "searchd" { commits.searchd.append(perCommit) }
                    if server.name == "against" { commits.against.append(perCommit) }
                    section.failures += [LoadSample.failure([sample], server.name)].compactMap(\.self)
                }
                let items = texts.items(count, "loop\(clients)-\(round)-")
                commits.loop.append(try peer.save(items, batch: clients, for: .seconds(options.seconds)))
            }
            let ratio = Spread(ratiosOf: commits.searchd, to: commits.loop)
            let against = Spread(ratiosOf: commits.searchd, to: commits.against)
            table.add(
                clients == 1 ? "µs for an item of one client" : "µs for \(clients) items of \(clients) clients",
                [
                    Unit.microseconds.median(commits.searchd), Unit.microseconds.median(commits.loop),
                    ratio.map(Unit.ratio.text) ?? "–", against.map(Unit.ratio.text) ?? "",
                ]
            )
            let limit = clients == 1 ? commitsMax : 1 / loopShareMin
            let name =
                "the time of \(clients == 1 ? "a save" : "\(clients) saves at once"): at most \(limit) of the loop's"
            section.verdicts.append(Verdict(name, ratio, .ratio, atMost: limit))
        }
        section.tables = [table]
        return section
    }

    private static func traffic(_ items: [LibraryTexts.Item]) -> Traffic {
        let exchanges = items.map { item in
            Exchange(
                method: Array(#""library/save""#.utf8),
                members: [Array(#""hit":\#(item.json)"#.utf8)],
                mark: Array(#""added":1"#.utf8),
                length: 1...Traffic.answerBytesMax
            )
        }
        return Traffic(exchanges, .numbered)
    }

    /// Saves items in steps; returns the time of it in nanoseconds.
    private static func save(_ items: [LibraryTexts.Item], in server: Server) throws -> Int64 {
        let start = SystemCall.now
        let talk = try server.talk()
        for begin in stride(from: 0, to: items.count, by: step) {
            let list = items[begin..<min(begin + step, items.count)].map(\.json).joined(separator: ",")
            _ = try talk.result("library/save", #"{"items":[\#(list)]}"#)
        }
        return SystemCall.now - start
    }

    // MARK: Searching

    private static func searching(_ options: Options, _ stage: Stage) throws -> Section {
        var texts = LibraryTexts(seed: 3)
        let items = texts.items(options.items, "i")
        let server = try stage.searchd()
        let took = try save(items, in: server)
        let peer = SQLitePeer(file: stage.directory.file("scan.sqlite"), processors: stage.processors)
        _ = try peer.save(items, batch: step, for: .seconds(600))
        var scans: [Double] = []
        for _ in 0..<options.rounds { scans.append(try peer.scan(texts.word())) }
        let notes = [
            "saving them in steps of \(step) took \(Unit.milliseconds.text(took)) ms; at the peak "
                + "\(Unit.mebibytes.text(try server.process.peakResidentBytes())) MiB were resident",
            "reading all \(options.items) items with SQLite alone takes \(Unit.milliseconds.median(scans)) ms",
        ]
        let params = { (query: String) in #"{"query":"\#(query)","limit":20}"# }
        return try section(
            "Searching \(options.items) saved items",
            notes,
            (server, "library/list", params, searchMax),
            &texts,
            options
        )
    }

    private static func suggesting(_ options: Options, _ stage: Stage) throws -> Section {
        var texts = LibraryTexts(seed: 6)
        let server = try stage.searchd()
        _ = try save(texts.items(options.items / 2, "t"), in: server)
        let before = try server.process.residentBytes()
        _ = try server.result("search/suggest", #"{"prefix":"고"}"#)
        let memory = Unit.mebibytes.text(try server.process.residentBytes() - before)
        return try section(
            "Suggestions among \(options.items / 2) titles",
            ["suggestions take \(memory) MiB of memory"],
            (server, "search/suggest", { #"{"prefix":"\#($0)"}"# }, suggestMax),
            &texts,
            options
        )
    }

    /// Asks for what people type to find an item, on one connection.
    private static func section(
        _ title: String,
        _ notes: [String],
        _ call: (server: Server, method: String, params: (String) -> String, max: Double),
        _ texts: inout LibraryTexts,
        _ options: Options
    ) throws -> Section {
        let talk = try call.server.talk()
        var section = Section(title: title, notes: notes)
        var table = ResultTable(["typed", "p50 ms", "p99 ms"])
        for typing in LibraryTexts.Typing.allCases {
            var (medians, percentiles): ([Double], [Double]) = ([], [])
            for _ in 0..<options.rounds {
                var times = Latencies()
                for _ in 0..<queriesPerRound {
                    let params = call.params(typing.typed(texts.word()))
                    let start = SystemCall.now
                    _ = try talk.result(call.method, params)
                    times.record(SystemCall.now - start)
                }
                medians.append(times.percentile(0.5))
                percentiles.append(times.percentile(0.99))
            }
            table.add(typing.rawValue, [Unit.milliseconds.median(medians), Unit.milliseconds.median(percentiles)])
            let name = "\(call.method) by \(typing.rawValue): p99 under \(Unit.milliseconds.text(call.max)) ms"
            section.verdicts.append(Verdict(name, Spread(percentiles), .milliseconds, atMost: call.max))
        }
        section.tables = [table]
        return section
    }
}
