/// What is said of `searchctl live`.
enum LiveReport {
    private static let latencyMax = 2.0
    private static let bytesMax = 2_048.0
    private static let startMax = 1.5
    private static let residentMax = 64.0 * 1_048_576

    static func section(_ figures: LivePart.Figures, _ options: Options) -> Report.Section {
        let (live, fzf) = (percentiles(figures.live), percentiles(figures.fzf))
        let bytes = mean(figures.live)
        let start = (Spread(figures.starts)?.median ?? .infinity) / (Spread(figures.pings)?.median ?? 1)
        let latency = live.late / fzf.late
        var keys = ResultTable(["a keystroke until its last byte", "median ms", "p99 ms", "bytes"])
        keys.add(
            "searchctl live",
            [.one(live.usual, .milliseconds), .one(live.late, .milliseconds), .one(bytes)]
        )
        keys.add("fzf", [.one(fzf.usual, .milliseconds), .one(fzf.late, .milliseconds), .one(mean(figures.fzf))])
        var starts = ResultTable(["milliseconds", "median"])
        starts.add("searchctl ping", [.rounds(Spread(figures.pings), .milliseconds, withExtremes: true)])
        starts.add(
            "searchctl live, until its first screen",
            [.rounds(Spread(figures.starts), .milliseconds, withExtremes: true)]
        )
        let resident = Double(figures.scrolled.residentBytes)
        return Report.Section(
            name: "live",
            title: "searchctl live on a terminal of 80×24",
            notes: [
                "\(figures.live.count) keystrokes of each, in \(options.rounds) rounds in turns; fzf filters what the "
                    + "searches brought"
            ],
            tables: [keys, starts],
            verdicts: [
                Verdict(
                    "p99 of a keystroke at most 2 times fzf's",
                    measured: Unit.ratio.text(latency),
                    passed: latency <= latencyMax
                ),
                Verdict(
                    "at most 2 KiB for a keystroke on average",
                    measured: Unit.count.text(bytes),
                    passed: bytes <= bytesMax
                ),
                Verdict(
                    "its first screen within 1.5 times searchctl ping",
                    measured: Unit.ratio.text(start),
                    passed: start <= startMax
                ),
                Verdict(
                    "no wake-up while nothing happens",
                    measured: "\(figures.wakeUps) in \(options.idling.components.seconds) s",
                    passed: figures.wakeUps == 0
                ),
                Verdict(
                    "at most 64 MiB resident at the end of 10,000 hits",
                    measured: "\(Unit.mebibytes.text(resident)) MiB at \(figures.scrolled.hits)",
                    passed: resident <= residentMax && figures.scrolled.hits >= LivePart.hitsScrolled
                ),
            ],
            failures: figures.calls == 0 ? [] : ["\(figures.calls) calls to the source for what was cached"]
        )
    }

    /// The median and the 99th percentile, in nanoseconds.
    static func percentiles(_ keystrokes: [LivePart.Keystroke]) -> (usual: Double, late: Double) {
        let sorted = keystrokes.map(\.nanoseconds).sorted()
        guard !sorted.isEmpty else { return (.infinity, .infinity) }
        func percentile(_ part: Double) -> Double {
            sorted[min(sorted.count - 1, max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1))]
        }
        return (percentile(0.5), percentile(0.99))
    }

    private static func mean(_ keystrokes: [LivePart.Keystroke]) -> Double {
        keystrokes.isEmpty ? 0 : Double(keystrokes.reduce(0) { $0 + $1.bytes }) / Double(keystrokes.count)
    }
}
