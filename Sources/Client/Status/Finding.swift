import JSON
import RPC
import SearchModel

/// The result of a check, and what to do about a problem.
package struct Finding: Equatable {
    package enum Level: String {
        case pass
        case skipped
        case warning
        case failure
    }

    var level: Level
    let check: String
    package let message: String
    var remedy: String?
    package var status = ExitStatus.found
    package var sources: [String] = []

    var rows: [(name: String, text: String)] {
        [(check, message)] + (remedy.map { [("", "→ " + $0)] } ?? [])
    }

    static func pass(_ check: String, _ message: String) -> Finding {
        Finding(level: .pass, check: check, message: message)
    }

    package static func skipped(_ check: String, _ message: String, _ remedy: String) -> Finding {
        Finding(level: .skipped, check: check, message: message, remedy: remedy)
    }

    static func warning(_ check: String, _ message: String, _ remedy: String) -> Finding {
        Finding(level: .warning, check: check, message: message, remedy: remedy)
    }

    package static func failure(_ check: String, _ message: String, _ remedy: String?, _ status: ExitStatus) -> Finding
    {
        Finding(level: .failure, check: check, message: message, remedy: remedy, status: status)
    }

    /// If the label of the sources is long, the message names the sources.
    static func failure(of sources: [String], _ message: String, _ remedy: String?, _ status: ExitStatus) -> Finding {
        let label = SourceErrors.label(sources)
        let isShort = Layout.width(label) <= labelMax
        var finding =
            isShort
            ? failure(label, message, remedy, status)
            : failure(NumberText.count(sources.count, "source"), "\(label): \(message)", remedy, status)
        finding.sources = sources
        return finding
    }

    private static let labelMax = 40

    static let offline = failure(
        "network",
        "this machine seems to be offline",
        "Check the network connection. “searchctl search --offline” searches the cache, your library and earlier hits.",
        .tryLater
    )
}

package struct Health: Equatable {
    package let word: String
    package let sentence: String
    package let status: ExitStatus

    static func troubled(_ text: String) -> Health { Health(word: "troubled", sentence: text, status: .tryLater) }
    static func misconfigured(_ text: String) -> Health {
        Health(word: "misconfigured", sentence: text, status: .notConfigured)
    }
    static func healthy(_ text: String) -> Health { Health(word: "healthy", sentence: text, status: .found) }
}

extension DaemonSnapshot {
    /// How long the health is “troubled” after a refused call, or after a call without a network.
    private static let recentSeconds: Int64 = 60

    package var health: Health {
        let count = NumberText.count(enabled.count, "source")
        let troubled = sources.filter(\.isTroubled)
        if isOffline { return .troubled(Finding.offline.message) }
        if !troubled.isEmpty { return .troubled("\(troubled.count) of \(count) in trouble") }
        if !ledger.isEmpty { return .troubled("quotas can't be counted exactly") }
        if !fleet.isEmpty { return .troubled("the shared server of the fleet can't be used") }
        if library.contains(where: { $0.level == .failure }) { return .troubled("your library can't be used") }
        if let refusal = refusals.first { return .troubled("searchd refuses calls: \(refusal.what)") }
        if !configuration.isEmpty { return .misconfigured("the configuration was refused") }
        if !wrongFiles.isEmpty {
            return .misconfigured("\(NumberText.count(wrongFiles.count, "source file")) with errors")
        }
        if enabled.isEmpty { return .misconfigured("no source can be asked") }
        if !library.isEmpty { return .healthy("your library was damaged") }
        let waiting = sources.count(where: \.isWaiting)
        return .healthy(waiting > 0 ? "\(waiting) of \(count) waiting for a rate limit" : "healthy")
    }

    private var isOffline: Bool {
        stats?[.offline]?.string.flatMap(RFC3339.epochSeconds).map { clock.now - $0 < Self.recentSeconds } == true
    }

    private var refusals: [ErrorEntry] {
        let kinds = [SearchError.Kind.rateLimited, .quotaExhausted, .overloaded].map(\.rawValue)
        return errors.filter { kinds.contains($0.kind) && $0.seconds.map { $0 < Self.recentSeconds } == true }
    }

    package var troubles: [Finding] { troubles(without: []) }

    func troubles(without accounts: Set<String>) -> [Finding] {
        let troubled = sources.filter { $0.isTroubled && !accounts.contains($0.account) }
        let groups = troubled.grouped { entry in
            let cause = entry.isUsedUp ? entry.state : entry.failure?.what ?? entry.state
            let account = entry.failure?.what == SourceFailure.noConnection ? "" : entry.account
            return [account, entry.health?.rawValue ?? "", cause]
        }
        return groups.map { _, entries in
            let worst = entries.max { $0.failure?.failures ?? 0 < $1.failure?.failures ?? 0 }
            return .failure(of: entries.map(\.name), worst?.state ?? "", nil, .tryLater)
        }
    }

    var wrongFiles: [Finding] {
        sources.filter { $0.offReason == .invalid }.map {
            .failure($0.name, $0.state, "“searchd --check” prints the errors in its file.", .notConfigured)
        }
    }

    var ledger: [Finding] {
        let failure = Self.failure("quotas", stats?[.ledger])
        let estimated = quotas.filter(\.isEstimated).map(\.name)
        guard let first = estimated.first else { return failure }
        let counts = estimated.count == 1 ? "amount of \(first) is" : "amounts of \(NumberText.names(estimated)) are"
        let damage = Finding.failure(
            "quotas",
            "the quota ledger was damaged, so the used \(counts) unknown",
            "Set \(estimated.count == 1 ? "it" : "each") with “sudo searchctl quota \(first) USED”.",
            .tryLater
        )
        return failure + [damage]
    }

    /// Problems with the Valkey or Redis server that hosts use to share quotas.
    package var fleet: [Finding] {
        guard let fleet = stats?[.fleet], fleet[.state]?.string != "ok" else { return [] }
        let effect = ": calls that need a shared quota are refused, except those that fleet.offlineShare permits"
        return Self.failure("fleet", fleet, effect)
    }

    package var fleetText: String? {
        guard let fleet = stats?[.fleet], fleet[.state]?.string == "ok" else { return nil }
        func count(_ member: Member) -> Int { fleet[member]?.int ?? 0 }
        let name = VisibleText.visible(fleet[.name]?.string ?? "a server")
        return "\(name) at \(VisibleText.visible(fleet[.address]?.string ?? "?")), "
            + "\(NumberText.count(count(.hosts), "host")), \(NumberText.count(count(.sharedCalls), "call")) shared, "
            + "\(NumberText.count(count(.savedCalls), "call")) saved"
    }

    var configuration: [Finding] {
        guard let at = stats?[.reloadRefusedAt]?.string.flatMap(RFC3339.epochSeconds) else { return [] }
        return [
            .failure(
                "configuration",
                "refused at \(clock.time(at)), so searchd keeps the previous configuration",
                "“searchctl doctor” shows the errors. Correct them, then run “searchctl reload”.",
                .notConfigured
            )
        ]
    }

    package var library: [Finding] {
        let personal = stats?[.personal]
        return Self.failure("library", personal?[.error]) + (personal?[.damaged]?.elements ?? []).map(damage)
    }

    /// The damaged files of the library that still exist, the latest first.
    var damagedFiles: [JSONCursor] {
        (stats?[.personal]?[.damaged]?.elements ?? []).filter { $0[.file]?.string != nil }
    }

    var damagedFileNotice: String? {
        damagedFiles.first.map { "searchctl: \(damage($0).message). “searchctl status” says how to recover them." }
    }

    private static func failure(_ check: String, _ problem: JSONCursor?, _ effect: String = "") -> [Finding] {
        guard let problem else { return [] }
        let message = VisibleText.visible((problem[.message]?.string ?? "unknown failure") + effect)
        let hint = (problem[.hint] ?? problem[.data]?[.hint])?.string ?? "“searchctl logs” may show more."
        return [.failure(check, message, VisibleText.visible(hint), .tryLater)]
    }

    private func damage(_ damage: JSONCursor) -> Finding {
        func time(_ name: Member) -> String? {
            damage[name]?.string.flatMap(RFC3339.epochSeconds).map(clock.fullTime)
        }
        let found = time(.at).map { " on \($0)" } ?? ""
        guard let file = damage[.file]?.string.map(VisibleText.visible) else {
            let (restored, lost) = (damage[.restored]?.int ?? 0, damage[.lost]?.int ?? 0)
            let text = "rows of your library were damaged\(found): \(restored) restored from a copy, \(lost) lost"
            return .warning("library", text, "Check the items that you saved last, as searchd(8) explains.")
        }
        let missing = time(.copyAt).map { "items saved after \($0)" } ?? "its contents"
        let text = "your library's file was damaged\(found); \(missing) may be missing"
        let remedy = "Recover it as searchd(8) explains, or save the missing items again. Then remove \(file)."
        return .warning("library", text, remedy)
    }
}
