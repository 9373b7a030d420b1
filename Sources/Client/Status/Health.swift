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

    init(of snapshot: DaemonSnapshot, clock: LocalClock = .system) {
        let isRefused = snapshot.stats[.reloadRefusedAt] != nil
        let library = LibraryTrouble.all(in: snapshot.stats, clock: clock)
        self.init(snapshot.sources, isRefused: isRefused, library: library, clock: clock)
    }

    /// - Parameters:
    ///   - sources: The entries of `source/list`.
    ///   - isRefused: Whether the latest configuration was refused.
    ///   - library: What is wrong with the user's library.
    ///   - clock: What time it is for the user.
    init(
        _ sources: [JSONCursor],
        isRefused: Bool = false,
        library: [LibraryTrouble] = [],
        clock: LocalClock = .system
    ) {
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
    private var isTroubled: Bool { !troubled.isEmpty || library.contains(where: \.isFailure) }

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
