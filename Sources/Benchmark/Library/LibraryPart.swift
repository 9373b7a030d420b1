import CSQLitePeer
import EventLoop
import Glibc
import JSON

/// Compares the speed of a library with plain SQLite: saving and searching.
enum LibraryPart {
    private static let clients = 16
    private static let step = 1_000
    private static let queriesPerRound = 100
    private static let itemsPerSecond = 30_000.0
    private static let commitsMax = 2.5
    private static let loopShareMin = 0.4
    private static let searchMax = 50e6
    private static let suggestMax = 5e6

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, progress: (String) -> Void) throws
        -> [Section]
    {
        progress("saving")
        let saving = try saving(options, environment)
        progress("searching \(options.items) items")
        let list = try measureQueries("library/list", among: options.items, atMost: searchMax, options, environment) {
            #"{"query":"\#($0)","limit":20}"#
        }
        progress("suggestions among \(options.items / 2) titles")
        let suggest = try measureQueries(
            "search/suggest",
            among: options.items / 2,
            atMost: suggestMax,
            options,
            environment
        ) {
            #"{"prefix":"\#($0)"}"#
        }
        return [saving, list, suggest]
    }

    private static func saving(_ options: Options, _ environment: BenchmarkEnvironment) throws -> Section {
        var texts = LibraryTexts(seed: 2)
        let count = Int(itemsPerSecond * options.seconds) + 10_000
        let peer = SQLitePeer(file: environment.directory.file("loop.sqlite"), processors: environment.processors)
        var section = Section(
            title: "Durable saves",
            notes: [
                "the C loop saves similar items with plain SQLite and a full-text index, 1 or \(clients) per commit",
                "medians of \(options.rounds) rounds of \(options.seconds) s; extremes in brackets",
            ]
        )
        var table = ResultTable(["", "searchd", "C loop", "ratio"])
        for clients in [1, clients] {
            var (searchd, loop): ([Double], [Double]) = ([], [])
            for round in 0..<options.rounds {
                let server = try environment.searchd()
                let saved = texts.items(count, "searchd\(clients)-\(round)-")
                let sample = try LoadGenerator(server, traffic(saved), connections: clients)
                    .measure(.seconds(options.seconds))
                searchd.append(Double(clients) * 1e9 / sample.answersPerSecond)
                section.failures += [LoadSample.failure([sample], server.name)].compactMap(\.self)
                let items = texts.items(count, "loop\(clients)-\(round)-")
                loop.append(try peer.save(items, batch: clients, for: .seconds(options.seconds)))
            }
            let ratio = Spread(ratiosOf: searchd, to: loop)
            table.add(
                clients == 1 ? "µs for 1 item of 1 client" : "µs for \(clients) items of \(clients) clients",
                [
                    Unit.microseconds.median(searchd), Unit.microseconds.median(loop),
                    ratio.map(Unit.ratio.text) ?? "–",
                ]
            )
            let limit = clients == 1 ? commitsMax : 1 / loopShareMin
            let saves = clients == 1 ? "a save" : "\(clients) concurrent saves"
            let name = "the time of \(saves) is at most \(limit) times the time of the C loop"
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
        return Traffic(exchanges)
    }

    private static func save(_ items: [LibraryTexts.Item], in server: Server) throws -> Int64 {
        let start = SystemCall.now
        let talk = try server.connect()
        for begin in stride(from: 0, to: items.count, by: step) {
            let list = items[begin..<min(begin + step, items.count)].map(\.json).joined(separator: ",")
            _ = try talk.result("library/save", #"{"items":[\#(list)]}"#)
        }
        return SystemCall.now - start
    }

    private static func measureQueries(
        _ method: String,
        among count: Int,
        atMost: Double,
        _ options: Options,
        _ environment: BenchmarkEnvironment,
        params: (String) -> String
    ) throws -> Section {
        var texts = LibraryTexts(seed: 3)
        let server = try environment.searchd()
        let took = try save(texts.items(count, "i"), in: server)
        let talk = try server.connect()
        var section = Section(title: "\(method) among \(count) saved items")
        var table = ResultTable(["typed", "p50 ms", "p99 ms"])
        for typing in LibraryTexts.Typing.allCases {
            var (medians, percentiles): ([Double], [Double]) = ([], [])
            for _ in 0..<options.rounds {
                var times = Latencies()
                for _ in 0..<queriesPerRound {
                    let typed = params(typing.typed(texts.word()))
                    let start = SystemCall.now
                    _ = try talk.result(method, typed)
                    times.record(SystemCall.now - start)
                }
                medians.append(times.percentile(0.5))
                percentiles.append(times.percentile(0.99))
            }
            table.add(typing.rawValue, [Unit.milliseconds.median(medians), Unit.milliseconds.median(percentiles)])
            let name = "\(method) by \(typing.rawValue): p99 under \(Unit.milliseconds.text(atMost)) ms"
            section.verdicts.append(Verdict(name, Spread(percentiles), .milliseconds, atMost: atMost))
        }
        section.notes.append(
            "saving the items in batches of \(step) took \(Unit.milliseconds.text(took)) ms; peak memory "
                + "\(Unit.mebibytes.text(try server.process.peakResidentBytes())) MiB"
        )
        section.tables = [table]
        return section
    }
}

struct SQLitePeer {
    let file: String
    let processors: Processors

    /// Returns the nanoseconds per commit.
    func save(_ items: [LibraryTexts.Item], batch: Int, for limit: Duration) throws -> Double {
        let texts = items.flatMap { [$0.id, $0.json, $0.words] }
        var elapsed: Int64 = 0
        let done = try processors.serving {
            // The texts are valid during the call. C does not change them, so the pointers may point to constants.
            unsafe withCStrings(texts) { texts in
                guard let texts = unsafe texts else { return Int64(-1) }
                let constant = unsafe UnsafeRawPointer(texts).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
                return unsafe sqlite_peer_save(
                    file,
                    constant,
                    items.count,
                    batch,
                    limit.saturatingNanoseconds,
                    &elapsed
                )
            }
        }
        guard done > 0 else { throw BenchmarkError("SQLite did not save into \(file)") }
        return Double(elapsed) * Double(batch) / Double(done)
    }
}
