import JSON

/// What a user's library costs: beside searches without one, SQLite alone, and a plain echo.
enum LibraryPart {
    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        guard options.peers.contains(.searchd) else { return [] }
        progress("library: cached searches of a user with saved items")
        let marks = try LibraryMarks.run(options, factory)
        progress("library: saving")
        let saving = try LibrarySaving.run(options, factory)
        progress("library: \(options.libraryItems) items are imported")
        let (importing, library) = try LibraryImport.run(options, factory)
        progress("library: a change reaches those who follow it")
        let feed = try LibraryFeed.run(options, factory)
        progress("library: searching in it")
        let finding = try LibraryFinding.run(options, factory, library)
        return [marks, saving, importing, feed, finding]
    }
}

/// The rate of cached searches of a user who has saved much, beside one who has saved nothing.
enum LibraryMarks {
    private static let items = 10_000
    private static let scenario = Scenario(connections: 16)
    private static let rateMin = 0.95

    static func run(_ options: Options, _ factory: PeerFactory) throws(BenchmarkError) -> Report.Section {
        let (without, with) = (try LibraryPeer(factory), try LibraryPeer(factory))
        var texts = LibraryTexts(seed: 1)
        let (plain, _) = try SearchdPeer.traffic(without.peer)
        _ = try SearchdPeer.traffic(with.peer)
        let found = try Self.found(by: with)
        try with.save(found + texts.hits(items - found.count, "m"))
        // Its answers have marks now.
        let (marked, _) = try SearchdPeer.traffic(with.peer)
        var rates: [(without: LoadSample, with: LoadSample)] = []
        for _ in 0..<options.rounds {
            let unmarked = try without.peer.load(plain, scenario, options)
            rates.append((unmarked, try with.peer.load(marked, scenario, options)))
        }
        let ratio = Spread(
            ratiosOf: rates.map(\.with.answersPerSecond),
            to: rates.map(\.without.answersPerSecond)
        )
        var table = ResultTable(["cached searches a second", "median", "ratio"])
        table.add("nothing saved", [.rounds(Spread(rates.map(\.without.answersPerSecond)))])
        table.add(
            "10,000 items saved",
            [.rounds(Spread(rates.map(\.with.answersPerSecond))), .rounds(ratio, .ratio, withExtremes: true)]
        )
        let wrong = rates.reduce(0) { $0 + $1.with.wrong + $1.without.wrong }
        return Report.Section(
            name: "libraryMarks",
            title: "Cached searches of a user with a library",
            notes: ["\(scenario.name); of 256 searches every hit is saved; medians of \(options.rounds) rounds"],
            tables: [table],
            verdicts: [
                Verdict(
                    "with 10,000 saved items at least 0.95 of the rate without",
                    measured: Numbers.ratio(ratio),
                    passed: (ratio?.median ?? 0) >= rateMin
                )
            ],
            failures: wrong == 0 ? [] : ["\(wrong) wrong answers"]
        )
    }

    /// The hits of all searches that are measured.
    private static func found(by library: LibraryPeer) throws(BenchmarkError) -> [JSONValue] {
        let talk = try library.talk()
        var hits: [String: JSONValue] = [:]
        for index in 0..<SearchRequests.count {
            let params =
                #"{"query":"\#(SearchRequests.query(index))","sources":["kakao.video"],"limit":10,"maxAge":86400}"#
            try library.ask(talk, "search", params)["hits"]?.forEachElement { hit in
                if let id = hit["id"]?.string { hits[id] = hit.value }
            }
        }
        return hits.sorted { $0.key < $1.key }.map(\.value)
    }
}
