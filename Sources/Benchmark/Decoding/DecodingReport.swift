import JSON

/// What decoding costs, in a table, verdicts and JSON.
enum DecodingReport {
    private static let nanosecondsMax = 300e3

    static func section(_ results: DecodingResults) -> Report.Section {
        var table = TextTable(["processor µs", "a page", "hits", "KiB", "for 50 hits", "lowest", "highest"])
        for figures in results.sources {
            let page = Spread(figures.rounds).map { Numbers.microseconds($0.median) } ?? "–"
            let fifty = figures.forFifty.map { [$0.median, $0.lowest, $0.highest].map(Numbers.microseconds) }
            table.add(
                [
                    figures.source, page, Numbers.decimal(figures.hits),
                    Numbers.decimal(figures.bodyBytes / 1_024, places: 1),
                ] + (fifty ?? ["–", "–", "–"])
            )
        }
        return Report.Section(
            name: "decoding",
            title: "Decoding a page",
            notes: [
                "\(DecodingCase.pages) pages of each source as the sandbox sends them, decoded and serialised for the cache",
                "medians of the rounds, and the extremes of their medians",
            ],
            tables: [table],
            verdicts: verdicts(results),
            failures: results.failures,
            figures: .object(results.sources.map { JSONMember($0.source, json($0)) })
        )
    }

    /// One for the page of 50 hits, and one for the dearest of the other sources, whose pages are of other sizes.
    private static func verdicts(_ results: DecodingResults) -> [Verdict] {
        var verdicts: [Verdict] = []
        if let own = results.sources.first(where: { $0.source == MissPart.sourceName }), let spread = own.forFifty {
            verdicts.append(verdict("50 hits of \(own.source)", spread))
        }
        let others = results.sources.filter { $0.source != MissPart.sourceName }
        let dearest = others.max { ($0.forFifty?.median ?? 0) < ($1.forFifty?.median ?? 0) }
        if let dearest, let spread = dearest.forFifty {
            verdicts.append(verdict("50 hits of any other source, \(dearest.source) being the dearest,", spread))
        }
        return verdicts
    }

    private static func verdict(_ what: String, _ spread: Spread) -> Verdict {
        Verdict(
            "\(what) decoded within 300 µs",
            measured: "\(Numbers.microseconds(spread.median)) µs",
            passed: spread.median <= nanosecondsMax
        )
    }

    private static func json(_ figures: DecodingResults.Figures) -> JSONValue {
        .object([
            JSONMember("hits", JSONNumber(figures.hits).map(JSONValue.number) ?? .null),
            JSONMember("bodyBytes", .number(JSONNumber(Int(figures.bodyBytes)))),
            JSONMember("medianNs", .array(figures.rounds.map { .number(JSONNumber(Int($0))) })),
        ])
    }
}
