/// What decoding costs, in a table and verdicts.
enum DecodingReport {
    private static let nanosecondsMax = 300e3

    static func section(_ results: DecodingResults) -> Report.Section {
        var table = ResultTable(["processor µs", "hits", "KiB", "decoding", "for the cache", "both"])
        for figures in results.sources {
            let decoding = figures.forFifty(figures.decoding)
            let serialising = figures.forFifty(figures.serialising)
            let both = figures.forFifty(figures.both)
            table.add(
                figures.source,
                [.one(figures.hits), .one(figures.bodyBytes, .kibibytes)]
                    + [decoding, serialising, both].map { .rounds($0, .microseconds, withExtremes: true) }
            )
        }
        return Report.Section(
            name: "decoding",
            title: "Decoding a page",
            notes: [
                "\(DecodingCase.pages) pages of each source as the sandbox sends them, for 50 hits: decoded, from the bytes of the"
                    + " answer to mapped hits; for the cache, from those to the bytes that are kept",
                "medians of the rounds, and in brackets the extremes of their medians",
            ],
            tables: [table],
            verdicts: verdicts(results),
            failures: results.failures
        )
    }

    /// One for the page of 50 hits, and one for the slowest of the other sources, whose pages have other sizes.
    private static func verdicts(_ results: DecodingResults) -> [Verdict] {
        var verdicts: [Verdict] = []
        if let own = results.sources.first(where: { $0.source == MissPart.sourceName }),
            let spread = own.forFifty(own.decoding)
        {
            verdicts.append(verdict("50 hits of \(own.source)", spread))
        }
        let others = results.sources.filter { $0.source != MissPart.sourceName }
        let slowest = others.max {
            ($0.forFifty($0.decoding)?.median ?? 0) < ($1.forFifty($1.decoding)?.median ?? 0)
        }
        if let slowest, let spread = slowest.forFifty(slowest.decoding) {
            verdicts.append(verdict("50 hits of the slowest other source, \(slowest.source),", spread))
        }
        return verdicts
    }

    private static func verdict(_ what: String, _ spread: Spread) -> Verdict {
        Verdict(
            "\(what) decoded within 300 µs",
            measured: "\(Unit.microseconds.text(spread.median)) µs",
            passed: spread.median <= nanosecondsMax
        )
    }
}
