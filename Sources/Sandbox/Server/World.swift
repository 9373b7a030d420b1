/// What the imitations share: the options, the accounts' counters, and bodies built before.
struct World: Sendable {
    var options: SandboxOptions {
        didSet { pages.removeAll() }
    }
    var ledger = Ledger()
    var pages = PageCache()
    var topics = TopicMemory()
    /// For what is left to chance, like one failure in so many.
    var dice: Dice
    /// When the first request came: arrivals are counted from here.
    private(set) var began: Int64?
    /// How many requests came before the present one.
    private(set) var calls = -1

    init(options: SandboxOptions) {
        self.options = options
        dice = Dice(options.seed, 0x10C4)
    }

    mutating func began(at instant: Int64) {
        if began == nil { began = instant }
        calls += 1
    }

    /// How many documents have appeared since the first request.
    func arrivals(at instant: Int64) -> Int {
        guard let began else { return 0 }
        let (seconds, each) = (options.quirks.arrivalSeconds, options.quirks.arrivalCalls)
        let byTime = seconds > 0 ? Int(max(0, instant - began) / 1_000_000_000) / seconds : 0
        return byTime + (each > 0 ? calls / each : 0)
    }

    /// What a source has on a topic at a time.
    func listing(
        _ source: String,
        _ topic: Topic,
        share: Double,
        order: Order = .relevance,
        at instant: Int64
    ) -> Listing {
        Listing(
            source: source,
            seed: options.seed,
            topic: topic,
            share: share,
            order: order,
            arrivals: arrivals(at: instant)
        )
    }

    var pictures: Pictures { Pictures(base: options.base) }
}
