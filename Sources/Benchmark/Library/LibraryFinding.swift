import EventLoop
import JSON
import Personal

/// Searching in a large library, beside the bare query of its index and a scan of its file.
enum LibraryFinding {
    private static let limit = 20
    private static let queriesPerRound = 100
    private static let bareMax = 2.0
    private static let scanMax = 0.1
    private static let bare = """
        SELECT number, item FROM items WHERE number IN (SELECT rowid FROM words WHERE words MATCH ?)
        ORDER BY savedAt DESC, number DESC LIMIT \(limit)
        """
    private static let scan = "SELECT count(*) FROM items WHERE instr(item, ?) > 0"

    private struct Figures {
        /// The 99th percentiles of each round, in nanoseconds.
        var searchd: [Double] = []
        var bare: [Double] = []
        var scan: [Double] = []
    }

    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        _ library: LibraryPeer
    ) throws(BenchmarkError) -> Report.Section {
        let file = library.file
        let talk = try library.talk()
        // The words of the library.
        var texts = LibraryTexts(seed: 3)
        var figures: [TypingWay: Figures] = [:]
        for _ in 0..<options.rounds {
            for way in TypingWay.ofLibrary {
                let queries = texts.queries(way, queriesPerRound)
                var times: [Double] = []
                for query in queries {
                    let start = SystemCall.now
                    let params = #"{"query":"\#(query)","limit":\#(limit)}"#
                    _ = try library.ask(talk, "library/list", params)
                    times.append(Double(SystemCall.now - start))
                }
                let expressions = queries.compactMap { LibraryQuery.expression($0) }
                let bare = try SQLitePeer.query(bare, expressions, in: file, factory.processors)
                let scan = try SQLitePeer.query(scan, [queries[0]], in: file, factory.processors)
                figures[way, default: Figures()].searchd.append(percentile(times))
                figures[way, default: Figures()].bare.append(percentile(bare.map(Double.init)))
                figures[way, default: Figures()].scan.append(Double(scan[0]))
            }
        }
        return section(figures, options)
    }

    /// The 99th of 100, by nearest rank.
    private static func percentile(_ times: [Double]) -> Double {
        let sorted = times.sorted()
        return sorted.isEmpty ? 0 : sorted[max(0, (sorted.count * 99 + 99) / 100 - 1)]
    }

    private static func section(_ figures: [TypingWay: Figures], _ options: Options) -> Report.Section {
        var table = ResultTable(["p99 by", "searchd ms", "bare query ms", "ratio", "scan ms", "ratio"])
        var verdicts: [Verdict] = []
        for way in TypingWay.ofLibrary {
            guard let figures = figures[way] else { continue }
            let toBare = Spread(ratiosOf: figures.searchd, to: figures.bare)
            let toScan = Spread(ratiosOf: figures.searchd, to: figures.scan)
            table.add(
                way.rawValue,
                [
                    .rounds(Spread(figures.searchd), .milliseconds), .rounds(Spread(figures.bare), .milliseconds),
                    .rounds(toBare, .ratio, withExtremes: true), .rounds(Spread(figures.scan), .milliseconds),
                    .rounds(toScan, .share),
                ]
            )
            verdicts.append(
                Verdict(
                    "searching \(options.libraryItems) items by \(way.rawValue): p99 at most 2 times a bare query's",
                    measured: Numbers.ratio(toBare),
                    passed: (toBare?.median ?? .infinity) <= bareMax
                )
            )
            verdicts.append(
                Verdict(
                    "searching \(options.libraryItems) items by \(way.rawValue): p99 at most a tenth of a scan",
                    measured: toScan.map { Unit.share.text($0.median) } ?? "–",
                    passed: (toScan?.median ?? .infinity) <= scanMax
                )
            )
        }
        return Report.Section(
            name: "libraryFinding",
            title: "Searching in a library",
            notes: [
                "\(queriesPerRound) queries a round, \(limit) items an answer, one connection; the bare query asks the same "
                    + "index and reads as many items"
            ],
            tables: [table],
            verdicts: verdicts
        )
    }
}
