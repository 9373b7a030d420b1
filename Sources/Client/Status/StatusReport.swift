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
            section("Quota ledger", health.ledger.flatMap { paragraph($0.text) + paragraph("→ \($0.remedy)") }),
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

/// The daemon's figures for people, one a line; figures of a newer daemon are shown too; pure.
struct StatusText {
    /// More lines than a screen has; the rest is for `--json`.
    static let linesMax = 200

    let layout: Layout

    func lines(hello: JSONCursor, stats: JSONCursor) -> [String] {
        var head = "searchd \(hello[.version]?.string ?? "of unknown version") is running"
        if let process = hello[.pid]?.int { head += ", process \(process)" }
        if let uptime = stats[.uptime]?.double { head += ", up \(FigureText.time(milliseconds: uptime * 1000))" }
        return layout.lines(VisibleText.visible(head), indent: 2) + rows(stats, indent: 2)
    }

    /// All figures of an object, those within others by their whole names.
    func rows(_ object: JSONCursor, indent: Int = 0) -> [String] {
        var figures: [(name: String, text: String)] = []
        Self.collect(object, name: "", into: &figures)
        return layout.table(Array(figures.prefix(Self.linesMax)), indent: indent)
    }

    private static func collect(
        _ value: JSONCursor,
        name: String,
        into figures: inout [(name: String, text: String)]
    ) {
        switch value.kind {
        case .object:
            value.forEachMember { member, value in
                if name.isEmpty, member == Member.uptime.description { return }
                collect(value, name: name.isEmpty ? member : "\(name).\(member)", into: &figures)
            }
        case .array: figures.append((VisibleText.visible(name), FigureText.count(value.count, "element")))
        case .null: break
        default:
            let text =
                value.int.map(FigureText.grouped) ?? value.string ?? String(decoding: value.text, as: UTF8.self)
            figures.append((VisibleText.visible(name), VisibleText.visible(text)))
        }
    }
}

/// The figures of the cache for people; pure.
enum CacheText {
    /// One row for the pages in memory and one for those on disk, where there are any.
    static func rows(_ cache: JSONCursor) -> [(name: String, text: String)] {
        let tiers: [(name: String, figures: JSONCursor?)] = [("memory", cache), ("disk", cache[.disk])]
        return tiers.compactMap { tier in
            tier.figures.flatMap(line).map { (tier.name, $0) }
        }
    }

    /// `1,234 pages, 5.4 MiB of 64 MiB, 93 % of lookups were hits`; nil for what has no pages.
    static func line(_ tier: JSONCursor) -> String? {
        guard let entries = tier[.entries]?.int else { return nil }
        var parts = [FigureText.count(entries, "page")]
        if let bytes = tier[.bytes]?.int {
            parts.append(FigureText.bytes(bytes) + (tier[.limit]?.int.map { " of \(FigureText.bytes($0))" } ?? ""))
        }
        let hits = tier[.hits]?.int ?? 0
        let lookups = hits + (tier[.stale]?.int ?? 0) + (tier[.misses]?.int ?? 0)
        if lookups > 0 { parts.append("\(FigureText.percent(hits, of: lookups)) of lookups were hits") }
        for (member, words) in [(Member.evictions, "evicted"), (.dropped, "not written")] {
            if let count = tier[member]?.int, count > 0 { parts.append("\(FigureText.grouped(count)) \(words)") }
        }
        return parts.joined(separator: ", ")
    }
}

/// What is wrong with this user's library, from `server/stats`; pure, and safe on a terminal.
struct LibraryTrouble: Equatable {
    let text: String
    let remedy: String
    /// Whether the library can't be used at all.
    let isFailure: Bool

    /// One clause.
    var headline: String { isFailure ? "your library can't be used" : "your library was damaged" }

    /// None when all is well, or when an older daemon does not tell.
    ///
    /// - Parameters:
    ///   - stats: The daemon's figures.
    ///   - clock: What time it is for the user.
    /// - Returns: What keeps it from being used before what was damaged.
    static func all(in stats: JSONCursor, clock: LocalClock) -> [LibraryTrouble] {
        guard let personal = stats[.personal] else { return [] }
        let failure = personal[.error].map { error in
            LibraryTrouble(
                text: VisibleText.visible(error[.message]?.string ?? "your library can't be used"),
                remedy: VisibleText.visible(error[.data]?[.hint]?.string ?? "“searchctl logs” may tell more."),
                isFailure: true
            )
        }
        return [failure].compactMap(\.self)
            + (personal[.damaged]?.elements ?? []).map { damage in
                self.damage(damage, clock: clock)
            }
    }

    private static func damage(_ damage: JSONCursor, clock: LocalClock) -> LibraryTrouble {
        func time(_ name: Member, _ before: String) -> String? {
            damage[name]?.string.flatMap(RFC3339.epochSeconds).map { "\(before) \(clock.fullTime($0))" }
        }
        let found = time(.at, " on") ?? ""
        guard let file = damage[.file]?.string.map(VisibleText.visible) else {
            let (restored, lost) = (damage[.restored]?.int ?? 0, damage[.lost]?.int ?? 0)
            return LibraryTrouble(
                text: "rows of your library's file were damaged\(found): \(restored) taken from a copy, \(lost) lost",
                remedy: "Check what you saved lately; searchd(8) says what may be missing.",
                isFailure: false
            )
        }
        let copy = time(.copyAt, "what was saved after") ?? "what it had"
        return LibraryTrouble(
            text: "your library's file was damaged\(found); \(copy) may be missing",
            remedy: "Recover it as searchd(8) says, or save again what is missing; then remove \(file).",
            isFailure: false
        )
    }
}

extension DaemonConnection {
    /// How many items the user has saved; nil when the daemon does not tell.
    mutating func savedCount(id: Int, within seconds: Int) throws(ClientError) -> Int? {
        do throws(ClientError) {
            let params = JSONWriter.bytes { $0.member(.limit, 1) }
            return try ask(.libraryList, params: params, id: id, within: seconds)[.total]?.int
        } catch  where ![.interrupted, .connectionLost].contains(error.code) {
            return nil
        }
    }
}
