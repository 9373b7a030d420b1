import EventLoop
import JSON
import RPC
import SearchModel

/// Whether a daemon's configuration and sources, and the user's library, are fine, and which sources are not; pure.
struct Health {
    /// Every source.
    let entries: [SourceEntry]
    /// Enabled, but failing, suspended, or with a quota used up.
    let troubled: [SourceEntry]
    /// Enabled and fine, but held back for the moment.
    let waiting: [SourceEntry]
    /// With a file that is wrong.
    let wrong: [SourceEntry]
    let enabledCount: Int
    /// Off for want of a key.
    let withoutKeyCount: Int
    /// Whether the latest configuration was refused, so that an earlier one is in force.
    let isRefused: Bool
    /// What is wrong with the user's library.
    let library: [LibraryTrouble]
    /// What keeps quotas from being counted exactly.
    let ledger: [LedgerTrouble]

    init(of snapshot: DaemonSnapshot, clock: LocalClock = .system) {
        let isRefused = snapshot.stats[.reloadRefusedAt] != nil
        let library = LibraryTrouble.all(in: snapshot.stats, clock: clock)
        self.init(snapshot.sources, isRefused: isRefused, library: library, stats: snapshot.stats, clock: clock)
    }

    /// - Parameters:
    ///   - sources: The entries of `source/list`.
    ///   - isRefused: Whether the latest configuration was refused.
    ///   - library: What is wrong with the user's library.
    ///   - stats: The daemon's figures.
    ///   - clock: What time it is for the user.
    init(
        _ sources: [JSONCursor],
        isRefused: Bool = false,
        library: [LibraryTrouble] = [],
        stats: JSONCursor? = nil,
        clock: LocalClock = .system
    ) {
        ledger = LedgerTrouble.all(in: stats, sources)
        self.isRefused = isRefused
        self.library = library
        entries = sources.map { SourceEntry($0, clock: clock) }
        let enabled = entries.filter(\.isEnabled)
        troubled = enabled.filter { $0.isUsedUp || [.failing, .open].contains($0.health) }
        waiting = enabled.filter { !$0.isUsedUp && $0.health == .waiting }
        wrong = entries.filter(\.isWrong)
        enabledCount = enabled.count
        withoutKeyCount = entries.count(where: \.lacksKey)
    }

    var count: Int { entries.count }

    private var isMisconfigured: Bool { isRefused || !wrong.isEmpty || enabledCount == 0 }

    /// Past damage of the library is reported, but is no trouble.
    private var isTroubled: Bool {
        !troubled.isEmpty || !ledger.isEmpty || library.contains(where: \.isFailure)
    }

    /// Whether calls fail because this machine has no network.
    var isOffline: Bool { troubled.contains { $0.failure?.isOffline == true } }

    /// For programs.
    var word: String {
        if isTroubled { return "troubled" }
        return isMisconfigured ? "misconfigured" : "healthy"
    }

    /// For people: one clause.
    var sentence: String {
        if isOffline { return "this machine is offline" }
        if !troubled.isEmpty { return "\(troubled.count) of \(FigureText.count(enabledCount, "source")) in trouble" }
        if !ledger.isEmpty { return "quotas can't be counted exactly" }
        if let library = library.first { return library.headline }
        if isRefused { return "the configuration was refused" }
        if !wrong.isEmpty { return "\(FigureText.count(wrong.count, "source file")) wrong" }
        return enabledCount == 0 ? "no source can be asked" : "healthy"
    }

    /// Trouble that passes by itself comes before mistakes, which wait.
    var status: ExitStatus {
        if isTroubled { return .tryLater }
        return isMisconfigured ? .notConfigured : .found
    }
}

/// Asks sources once each, as cheaply as can be: one hit of a common word, past the cache, and nothing of it is kept.
enum SourceProbe {
    static let query = "seoul"
    static let timeoutSeconds = 8
    /// How much longer than that the daemon may take to say so.
    static let graceSeconds = 3

    /// Asks all of them at once.
    ///
    /// - Parameters:
    ///   - sources: Their names; each costs one call of its quota.
    ///   - firstID: The request of the first; the others count on.
    ///   - exchange: The daemon.
    /// - Returns: What went wrong, by source; one that answered is not in it.
    /// - Throws: When the daemon does not answer; not when a source fails.
    static func troubles(
        with sources: [String],
        firstID: Int,
        over exchange: inout DaemonConnection
    ) throws(ClientError) -> [String: ClientError] {
        for (index, source) in sources.enumerated() {
            try exchange.send(line: RequestLine.request(firstID + index, .search, params: params(source)))
        }
        let deadline = Instant.now.advanced(by: .seconds(timeoutSeconds + graceSeconds))
        var troubles: [String: ClientError] = [:]
        var answered = 0
        while answered < sources.count, let line = try exchange.nextLine(until: deadline) {
            switch try Message.read(line) {
            case .result(let id, let result) where sources.indices.contains(id - firstID):
                troubles[sources[id - firstID]] = SearchReport(result).sources.first?.trouble
                answered += 1
            case .failure(let id?, let error) where sources.indices.contains(id - firstID):
                troubles[sources[id - firstID]] = error
                answered += 1
            case .failure(id: nil, let error): throw error
            case .result, .failure, .notification: continue
            }
        }
        guard answered == sources.count else { throw Connector.lost }
        return troubles
    }

    private static func params(_ source: String) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.query, query)
            writer.array(.sources) { $0.string(source) }
            writer.member(.limit, 1)
            writer.member(.maxAge, 0)
            writer.member(.timeout, timeoutSeconds * 1000)
            writer.member(.private, true)
        }
    }
}
