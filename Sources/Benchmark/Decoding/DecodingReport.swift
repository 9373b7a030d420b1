import JSON

/// What decoding costs, in a table, verdicts and JSON.
enum DecodingReport {
    private static let nanosecondsMax = 300e3

    static func section(_ results: DecodingResults) -> Report.Section {
        var table = TextTable(["processor µs", "hits", "KiB", "decoding", "lowest", "highest", "for the cache", "both"])
        for figures in results.sources {
            let decoding = figures.forFifty(figures.decoding)
            let serialising = figures.forFifty(figures.serialising)
            let both = figures.forFifty(figures.both)
            let times = [decoding?.median, decoding?.lowest, decoding?.highest, serialising?.median, both?.median]
            let sizes = [Numbers.decimal(figures.hits), Numbers.decimal(figures.bodyBytes / 1_024, places: 1)]
            table.add([figures.source] + sizes + times.map { $0.map(Numbers.microseconds) ?? "–" })
        }
        return Report.Section(
            name: "decoding",
            title: "Decoding a page",
            notes: [
                "\(DecodingCase.pages) pages of each source as the sandbox sends them, for 50 hits: decoded, from the bytes of the"
                    + " answer to mapped hits; for the cache, from those to the bytes that are kept",
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
        if let own = results.sources.first(where: { $0.source == MissPart.sourceName }),
            let spread = own.forFifty(own.decoding)
        {
            verdicts.append(verdict("50 hits of \(own.source)", spread))
        }
        let others = results.sources.filter { $0.source != MissPart.sourceName }
        let dearest = others.max {
            ($0.forFifty($0.decoding)?.median ?? 0) < ($1.forFifty($1.decoding)?.median ?? 0)
        }
        if let dearest, let spread = dearest.forFifty(dearest.decoding) {
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
        [
            "hits": .decimal(figures.hits), "bodyBytes": .integer(Int(figures.bodyBytes)),
            "decodingMedianNs": json(figures.decoding), "serialisingMedianNs": json(figures.serialising),
        ]
    }

    private static func json(_ nanoseconds: [Double]) -> JSONValue {
        .array(nanoseconds.map { .number(JSONNumber(Int($0))) })
    }
}
