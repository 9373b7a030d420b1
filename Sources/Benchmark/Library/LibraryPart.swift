import EventLoop
import Glibc
import JSON

/// Measures the cost of a user's library, compared with the disk.
enum LibraryPart {
    private static let clients = 16
    private static let step = 1_000
    private static let queriesPerRound = 100
    /// The number of items to generate per second, which is more than can be saved.
    private static let itemsPerSecond = 30_000.0
    /// The longest time of a save, as a multiple of a durable write of 4 KiB; of 16 concurrent saves twice as much.
    private static let writesMax = 4.0
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

    // MARK: Saving

    private static func saving(_ options: Options, _ environment: BenchmarkEnvironment) throws -> Section {
        var texts = LibraryTexts(seed: 2)
        let count = Int(itemsPerSecond * options.seconds) + 10_000
        var section = Section(title: "Durable saves", notes: [options.roundsNote])
        var table = ResultTable(["", "searchd", "writes of 4 KiB", "ratio"])
        for clients in [1, clients] {
            // Nanoseconds by round.
            var (searchd, disk): ([Double], [Double]) = ([], [])
            for round in 0..<options.rounds {
                let server = try environment.searchd()
                let saved = texts.items(count, "searchd\(clients)-\(round)-")
                let sample = try LoadGenerator(server, traffic(saved), connections: clients)
                    .measure(.seconds(options.seconds))
                searchd.append(Double(clients) * 1e9 / sample.answersPerSecond)
                section.failures += [LoadSample.failure([sample], server.name)].compactMap(\.self)
                disk.append(try writeTime(environment.directory.file("disk"), for: .seconds(options.seconds)))
            }
            let ratio = Spread(ratiosOf: searchd, to: disk)
            let name = clients == 1 ? "a save" : "\(clients) concurrent saves"
            table.add(
                "µs for \(name)",
                [Unit.microseconds.median(searchd), Unit.microseconds.median(disk), ratio.map(Unit.ratio.text) ?? "–"]
            )
            let limit = clients == 1 ? writesMax : 2 * writesMax
            section.verdicts.append(
                Verdict("the time of \(name): at most \(limit) durable writes", ratio, .ratio, atMost: limit)
            )
        }
        section.tables = [table]
        return section
    }

    /// The time of a durable write at the end of a file, in nanoseconds.
    private static func writeTime(_ path: String, for limit: Duration) throws -> Double {
        let file = try SystemCall.open(path, O_WRONLY | O_CREAT | O_APPEND)
        let block = [UInt8](repeating: 1, count: 4096)
        let start = SystemCall.now
        var count = 0
        while SystemCall.now - start < limit.saturatingNanoseconds {
            // The count is that of the array.
            _ = try SystemCall.checked("writing \(path)") { unsafe write(file.raw, block, block.count) }
            _ = try SystemCall.checked("synchronizing \(path)") { fdatasync(file.raw) }
            count += 1
        }
        return Double(SystemCall.now - start) / Double(max(1, count))
    }

    private static func traffic(_ items: [String]) -> Traffic {
        let mark = Array(#""added":1"#.utf8)
        return Traffic(items.map { Exchange(method: "library/save", members: [#""hit":\#($0)"#], mark: mark) })
    }

    /// Saves items in batches; returns the elapsed time in nanoseconds.
    private static func save(_ items: [String], in server: Server) throws -> Int64 {
        let start = SystemCall.now
        let talk = try server.connect()
        for begin in stride(from: 0, to: items.count, by: step) {
            let list = items[begin..<min(begin + step, items.count)].joined(separator: ",")
            _ = try talk.result("library/save", #"{"items":[\#(list)]}"#)
        }
        return SystemCall.now - start
    }

    // MARK: Searching

    /// Saves items, then measures queries of partially typed words on one connection.
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
                var times: [Double] = []
                for _ in 0..<queriesPerRound {
                    let typed = params(typing.typed(texts.word()))
                    let start = SystemCall.now
                    _ = try talk.result(method, typed)
                    times.append(Double(SystemCall.now - start))
                }
                medians.append(times.percentile(0.5))
                percentiles.append(times.percentile(0.99))
            }
            table.add(typing.rawValue, [Unit.milliseconds.median(medians), Unit.milliseconds.median(percentiles)])
            let name = "\(method) by \(typing.rawValue): p99 under \(Unit.milliseconds.text(atMost)) ms"
            section.verdicts.append(Verdict(name, Spread(percentiles), .milliseconds, atMost: atMost))
        }
        section.notes.append(
            "saving them in batches of \(step) took \(Unit.milliseconds.text(took)) ms; peak memory "
                + "\(Unit.mebibytes.text(try server.process.peakResidentBytes())) MiB"
        )
        section.tables = [table]
        return section
    }
}
