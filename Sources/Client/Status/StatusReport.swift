import JSON
import RPC
import SearchModel

/// What `status` tells people: the health in one line, then what deserves a look, then the rest; pure.
struct StatusReport {
    let snapshot: DaemonSnapshot
    /// How many items the user has saved; nil when it is not known.
    var savedCount: Int?
    let health: Health
    let owner: DaemonOwner
    let clock: LocalClock
    let layout: Layout
    let style: Style

    /// More are counted and not named.
    private static let rowsMax = 10
    private static let indent = 2

    var lines: [String] {
        let troubles = SourceTrouble.grouped(health.troubled + health.wrong, among: health.entries)
        let waiting = SourceTrouble.grouped(health.waiting, among: health.entries)
        let sections = [
            section("In trouble", table(troubles.map { ($0.name, $0.text) })),
            section("Waiting", table(waiting.map { ($0.name, $0.text) })),
            section("Configuration", configuration),
            section("Library", libraryTroubles),
            section("Sources", paragraph(sources)),
            section("Quotas", table(quotas.map { ($0.name, $0.text) })),
            section("Recent errors", table(cut(errors))),
            section("Library", health.library.isEmpty ? saved : []),
            section("Cache", cache.flatMap(paragraph)),
            section("Clients", paragraph(connections) + table(cut(clients))),
            section("Requests", requests.flatMap(paragraph)),
            section("Process", paragraph(process)),
        ]
        return headline + sections.flatMap { $0 }
    }

    private var headline: [String] {
        let word = health.status == .found ? style.green(health.sentence) : style.red(health.sentence)
        var parts = ["\(owner.text()) searchd \(snapshot.hello[.version]?.string ?? "of unknown version")"]
        if let uptime = snapshot.stats[.uptime]?.double {
            parts.append("up \(FigureText.time(milliseconds: uptime * 1000))")
        }
        return layout.lines(word + " · " + VisibleText.visible(parts.joined(separator: ", ")), indent: Self.indent)
    }

    private var process: String {
        let number = snapshot.hello[.pid]?.int.map(String.init)
        let memory = snapshot.stats[.memory]?[.resident]?.int.map { "\(FigureText.bytes($0)) of memory" }
        return [number, memory].compactMap(\.self).joined(separator: ", ")
    }

    private var sources: String {
        let enabled = "\(health.enabledCount) of \(health.count) enabled"
        guard health.withoutKeyCount > 0 else { return enabled }
        return "\(enabled), \(health.withoutKeyCount) without a key: see “searchctl keys”"
    }

    /// Only that what stands in the files is not in force.
    private var configuration: [String] {
        guard let at = snapshot.stats[.reloadRefusedAt]?.string.flatMap(RFC3339.epochSeconds) else { return [] }
        let program = owner == .system ? "sudo searchctl" : "searchctl"
        return paragraph("refused at \(clock.time(at)): searchd goes on with what it had before")
            + paragraph("→ “\(program) doctor” tells what is wrong; then “\(program) reload”.")
    }

    private var libraryTroubles: [String] {
        health.library.flatMap { paragraph($0.text) + paragraph("→ \($0.remedy)") }
    }

    private var saved: [String] {
        savedCount.map { paragraph("\(FigureText.count($0, "item")) saved") } ?? []
    }

    /// Those of which something is used, the nearest to its end first.
    private var quotas: [QuotaEntry] {
        let used = QuotaEntry.all(in: snapshot.sources, clock: clock).filter { $0.left < $0.limit }
        return Array(used.sorted { $0.usedShare > $1.usedShare }.prefix(Self.rowsMax))
    }

    private var cache: [String] {
        [snapshot.stats[.cache].flatMap(CacheText.line)].compactMap(\.self)
    }

    /// Those of sources that are fine again: what is wrong with the others stands above.
    private var errors: [(name: String, text: String)] {
        let known = Set(health.troubled.map(\.name))
        let errors = ErrorEntry.all(in: snapshot.stats, now: clock.now).filter { !known.contains($0.source) }
        return ErrorEntry.lines(errors, among: health.entries)
    }

    /// Those that wait for something, and what for.
    private var clients: [(name: String, text: String)] {
        ClientEntry.all(in: snapshot.stats).filter(\.isWorking).map { ($0.name, $0.text) }
    }

    private var connections: String {
        guard let connections = snapshot.stats[.connections], let open = connections[.open]?.int else { return "" }
        var parts = ["\(FigureText.grouped(open)) connected"]
        if let count = connections[.inFlight]?.int { parts.append("\(FigureText.count(count, "request")) in flight") }
        if let calls = snapshot.stats[.flights]?[.calls]?.int, calls > 0 {
            let waiters = snapshot.stats[.flights]?[.waiters]?.int ?? 0
            parts.append("\(FigureText.count(calls, "call")) to sources for \(FigureText.count(waiters, "waiter"))")
        }
        for (member, words) in [(Member.refused, "refused"), (.stalled, "dropped for not reading")] {
            if let count = connections[member]?.int, count > 0 { parts.append("\(FigureText.grouped(count)) \(words)") }
        }
        return parts.joined(separator: ", ")
    }

    private var requests: [String] {
        let counts = (snapshot.stats[.requests]?.members ?? []).compactMap { member in
            member.value.int.map { (name: member.name, count: $0) }
        }
        let busy = counts.filter { $0.count > 0 }.sorted { $0.count > $1.count }
        guard !busy.isEmpty else { return [] }
        let parts = busy.map { VisibleText.visible("\($0.name) \(FigureText.grouped($0.count))") }
        return [parts.joined(separator: ", ")]
    }

    // MARK: Layout

    /// The first rows, and how many more there are.
    private func cut(_ rows: [(name: String, text: String)]) -> [(name: String, text: String)] {
        let more = rows.count - Self.rowsMax
        return rows.prefix(Self.rowsMax) + (more > 0 ? [("… \(FigureText.grouped(more)) more", "")] : [])
    }

    private func table(_ rows: [(name: String, text: String)]) -> [String] {
        layout.table(rows, indent: Self.indent)
    }

    private func paragraph(_ text: String) -> [String] {
        text.isEmpty ? [] : layout.lines(text, behind: String(repeating: " ", count: Self.indent))
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [style.bold(title)] + lines
    }
}
