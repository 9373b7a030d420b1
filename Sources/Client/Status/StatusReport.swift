import JSON
import RPC
import SearchModel

/// What `status` tells people: the health in one line, then what deserves a look, then the rest; pure.
struct StatusReport {
    private let snapshot: DaemonSnapshot
    private let health: Health
    private let style: Style
    private let now: Int64

    /// More are counted and not named.
    private static let rowsMax = 10

    /// - Parameters:
    ///   - snapshot: What the daemon says of itself.
    ///   - health: The same in short.
    ///   - style: How it looks.
    ///   - now: Seconds since 1970.
    init(_ snapshot: DaemonSnapshot, _ health: Health, style: Style, now: Int64) {
        self.now = now
        self.snapshot = snapshot
        self.health = health
        self.style = style
    }

    var lines: [String] {
        let troubled = (health.troubled + health.wrong).map { ($0.name, $0.trouble) }
        let sections = [
            section("In trouble", DisplayWidth.table(troubled)),
            section("Waiting", DisplayWidth.table(health.waiting.map { ($0.name, $0.state) })),
            section("Quotas", DisplayWidth.table(QuotaEntry.all(in: snapshot.sources).map { ($0.name, $0.text) })),
            section("Recent errors", cut(errors)), section("Cache", cache),
            section("Clients", clients + cut(DisplayWidth.table(entries.map { ($0.name, $0.text) }), of: clientCount)),
            section("Requests", requests),
        ]
        return [headline] + sections.flatMap { $0 }
    }

    private var headline: String {
        let word = health.status == .found ? style.green(health.sentence) : style.red(health.sentence)
        var parts = ["searchd \(snapshot.hello[.version]?.string ?? "of unknown version")"]
        if let uptime = snapshot.stats[.uptime]?.double {
            parts.append("up \(FigureText.time(milliseconds: uptime * 1000))")
        }
        if let process = snapshot.hello[.pid]?.int { parts.append("process \(process)") }
        parts.append("\(health.enabledCount) of \(FigureText.count(health.count, "source")) can be asked")
        return word + " · " + VisibleText.visible(parts.joined(separator: ", "))
    }

    private var cache: [String] {
        guard let cache = snapshot.stats[.cache], let entries = cache[.entries]?.int else { return [] }
        var parts = [FigureText.count(entries, "page")]
        if let bytes = cache[.bytes]?.int {
            parts.append(FigureText.bytes(bytes) + (cache[.limit]?.int.map { " of \(FigureText.bytes($0))" } ?? ""))
        }
        let hits = cache[.hits]?.int ?? 0
        let stale = cache[.stale]?.int ?? 0
        let lookups = hits + stale + (cache[.misses]?.int ?? 0)
        if lookups > 0 { parts.append("\(FigureText.percent(hits, of: lookups)) of lookups found a fresh page") }
        if let evictions = cache[.evictions]?.int, evictions > 0 {
            parts.append("\(FigureText.grouped(evictions)) evicted")
        }
        return [parts.joined(separator: ", ")]
    }

    private var errors: [String] {
        DisplayWidth.table(ErrorEntry.all(in: snapshot.stats, now: now).map { ($0.age, "\($0.source) \($0.what)") })
    }

    private var entries: [ClientEntry] { ClientEntry.all(in: snapshot.stats) }

    /// How many there are, which may be more than are named.
    private var clientCount: Int { snapshot.stats[.connections]?[.clients]?.int ?? entries.count }

    private var clients: [String] {
        guard let connections = snapshot.stats[.connections], let open = connections[.open]?.int else { return [] }
        var parts = ["\(FigureText.grouped(open)) connected"]
        if let count = connections[.inFlight]?.int { parts.append("\(FigureText.count(count, "request")) at work") }
        if let calls = snapshot.stats[.flights]?[.calls]?.int {
            let waiters = snapshot.stats[.flights]?[.waiters]?.int ?? 0
            parts.append("\(FigureText.count(calls, "call")) to sources in flight for \(FigureText.grouped(waiters))")
        }
        for (member, words) in [(Member.refused, "refused"), (.stalled, "dropped for not reading")] {
            if let count = connections[member]?.int, count > 0 { parts.append("\(FigureText.grouped(count)) \(words)") }
        }
        return [parts.joined(separator: ", ")]
    }

    private var requests: [String] {
        let counts = (snapshot.stats[.requests]?.members ?? []).compactMap { member in
            member.value.int.map { (name: member.name, count: $0) }
        }
        let busy = counts.filter { $0.count > 0 }.sorted { $0.count > $1.count }
        guard !busy.isEmpty else { return [] }
        let parts = busy.map { VisibleText.visible("\(FigureText.grouped($0.count)) \($0.name)") }
        let memory = snapshot.stats[.memory]?[.resident]?.int.map { "; \(FigureText.bytes($0)) of memory" } ?? ""
        return [parts.joined(separator: ", ") + memory]
    }

    /// The first lines, and how many more there are.
    private func cut(_ lines: [String], of count: Int? = nil) -> [String] {
        let more = max(count ?? 0, lines.count) - Self.rowsMax
        return lines.prefix(Self.rowsMax) + (more > 0 ? ["… \(FigureText.grouped(more)) more"] : [])
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [style.bold(title)] + lines.map { "  " + $0 }
    }
}
