import JSON
import RPC

/// Whether a daemon's sources are fine, and which are not; pure.
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

    /// - Parameter sources: The entries of `source/list`.
    init(_ sources: [JSONCursor]) {
        self.init(sources, clock: .system)
    }

    init(_ sources: [JSONCursor], clock: LocalClock) {
        entries = sources.map { SourceEntry($0, clock: clock) }
        let enabled = entries.filter(\.isEnabled)
        troubled = enabled.filter { $0.isUsedUp || [.failing, .open].contains($0.health) }
        waiting = enabled.filter { !$0.isUsedUp && $0.health == .waiting }
        wrong = entries.filter(\.isWrong)
        enabledCount = enabled.count
        withoutKeyCount = entries.count(where: \.lacksKey)
    }

    var count: Int { entries.count }

    /// Whether calls fail because this machine has no network.
    var isOffline: Bool { troubled.contains { $0.failure?.isOffline == true } }

    /// For programs.
    var word: String {
        if !troubled.isEmpty { return "troubled" }
        return wrong.isEmpty && enabledCount > 0 ? "healthy" : "misconfigured"
    }

    /// For people: one clause.
    var sentence: String {
        if isOffline { return "this machine is offline" }
        if !troubled.isEmpty { return "\(troubled.count) of \(FigureText.count(enabledCount, "source")) in trouble" }
        if !wrong.isEmpty { return "\(FigureText.count(wrong.count, "source file")) wrong" }
        return enabledCount == 0 ? "no source can be asked" : "healthy"
    }

    /// Trouble that passes by itself comes before mistakes, which wait.
    var status: ExitStatus {
        if !troubled.isEmpty { return .tryLater }
        return wrong.isEmpty && enabledCount > 0 ? .found : .notConfigured
    }
}
