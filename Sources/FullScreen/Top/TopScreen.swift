import Client
import Hangul
import JSON
import RPC
import SearchModel
import Terminal

/// Draws `top`: three lines of numbers, then tables, with the busiest sources first.
struct TopScreen {
    private static let errorsMax = 6
    private static let barColumns = 5...30

    private let history: TopHistory
    private let columns: Int
    private let rows: Int
    /// The first line of the tables in view.
    private(set) var firstLine = 0

    /// Limits `firstLine` so that the screen is full.
    init(_ history: TopHistory, columns: Int, rows: Int, firstLine: Int = 0) {
        (self.history, self.columns, self.rows) = (history, columns, rows)
        self.firstLine = min(max(0, firstLine), lastFirstLine)
    }

    var screen: Screen {
        let shown = Array(tables.dropFirst(firstLine).prefix(tableRows))
        let blanks = Array(repeating: TopLine(), count: tableRows - shown.count)
        let foot = TopLine(TopPiece(lastFirstLine > 0 ? "↑ ↓ scroll · q quits" : "q quits", .dim))
        var screen = Screen(columns: columns, rows: rows)
        for (row, line) in (head + shown + blanks + [foot]).enumerated() { line.draw(on: &screen, row: row) }
        return screen
    }

    /// Returns the first line in view after a key.
    func firstLine(after action: LiveAction) -> Int {
        let wanted = action.target(from: firstLine, page: max(1, tableRows - 1)) ?? firstLine
        return min(max(0, wanted), lastFirstLine)
    }

    private var tableRows: Int { max(0, rows - head.count - 1) }
    private var lastFirstLine: Int { max(0, tables.count - tableRows) }
    private var now: TopMoment { history.current }

    // MARK: Head

    private var head: [TopLine] {
        let (snapshot, stats) = (now.snapshot, now.snapshot.stats)
        let health = snapshot.health
        let requests = FigureText.grouped(now.requests) + " in all, "
        let rate = DisplayWidth.padded(Self.perSecond(history.rate(\.requests)), 9) + " "
        let graphColumns = columns - DisplayWidth.columns(of: requests + rate) - 9
        let uses = history.growth(\.uses)
        let cached =
            uses > 0
            ? FigureText.percent(history.growth(\.hits), of: uses) + " cached"
            : "\(FigureText.percent(now.hits, of: now.uses)) cached so far"
        let (connections, flights) = (stats?[.connections], stats?[.flights])
        // Do not count the connection of `top` itself.
        let clients = max(0, (connections?[.clients]?.int ?? connections?[.open]?.int ?? 1) - 1)
        let active = FigureText.grouped(connections?[.inFlight]?.int ?? 0)
        let (calls, waiters) = (flights?[.calls]?.int ?? 0, flights?[.waiters]?.int ?? 0)
        let figures =
            ", \(cached) · \(FigureText.count(clients, "client")), \(active) active · "
            + "\(FigureText.count(calls, "call")), \(FigureText.grouped(waiters)) waiting"
            + (stats?[.memory]?[.resident]?.int.map { " · \(FigureText.bytes($0))" } ?? "")
        return [
            TopLine(
                TopPiece(health.sentence, health.status == .found ? .good : .bad),
                TopPiece(" · searchd \(snapshot.version), \(snapshot.uptimeText)")
            ),
            TopLine(
                TopPiece("requests \(requests)"),
                TopPiece(rate, .bold),
                TopPiece(Graph.sparkline(history.rates, columns: graphColumns), .accent)
            ),
            TopLine(TopPiece("hits "), TopPiece(Self.perSecond(history.rate(\.hits)), .bold), TopPiece(figures)),
        ]
    }

    // MARK: Tables

    private var tables: [TopLine] {
        let tables = [("", sources), ("QUOTAS", quotas), ("FLEET", fleet), ("CLIENTS", clients), ("ERRORS", errors)]
        return tables.filter { !$0.1.isEmpty }.flatMap { title, rows in
            (title.isEmpty ? [TopLine()] : [TopLine(), TopLine(TopPiece(title, .dim))]) + rows
        }
    }

    private static let sourcesMin = 6

    /// The sources, the busiest first, then the number of sources that are left out.
    ///
    /// All sources that were called within a minute or are in trouble have a row. If there are fewer than `sourcesMin`,
    /// other sources have the remaining rows.
    private var sources: [TopLine] {
        let entries = now.snapshot.enabled.map { source in
            (source, recent: history.recentCalls(of: source.name), calls: now.upstream[source.name]?.calls ?? 0)
        }
        let active = entries.filter { $0.recent > 0 || $0.0.isTroubled || $0.0.isWaiting }
        let others = entries.filter { $0.recent == 0 && $0.calls > 0 && !$0.0.isTroubled && !$0.0.isWaiting }
            .sorted { ($1.calls, $0.0.name) < ($0.calls, $1.0.name) }
        let shown = (active + others.prefix(max(0, Self.sourcesMin - active.count)))
            .sorted { ($1.recent, $1.calls, $0.0.name) < ($0.recent, $0.calls, $1.0.name) }
        let head = ["SOURCE", "CALLS", "IN 1 MIN", "LATENCY", "STATE"].map { TopPiece($0, .dim) }
        let rows = shown.map { source, recent, calls in
            [
                TopPiece(source.name), TopPiece(FigureText.grouped(calls)), TopPiece(FigureText.grouped(recent)),
                TopPiece(history.latency(of: source.name).map(FigureText.time(milliseconds:)) ?? "–"),
                TopPiece(source.state, source.isTroubled ? .bad : .plain),
            ]
        }
        let idle = entries.count - shown.count
        let rest =
            idle > 0 ? [TopLine(TopPiece("\(FigureText.count(idle, "source")) not called for a minute", .dim))] : []
        return (rows.isEmpty ? [] : TopLine.aligned([head] + rows, rightColumns: [1, 2, 3])) + rest
    }

    private var quotas: [TopLine] {
        let bar = min(Self.barColumns.upperBound, max(Self.barColumns.lowerBound, columns / 5))
        return TopLine.aligned(
            now.snapshot.quotas.map { quota in
                let left = Graph.bar(1 - quota.usedShare, columns: bar)
                return [
                    TopPiece(quota.label),
                    TopPiece(left, quota.isUsedUp ? .bad : .accent), TopPiece(quota.text),
                ]
            }
        )
    }

    private var fleet: [TopLine] {
        now.snapshot.fleetText.map { [TopLine(TopPiece($0))] }
            ?? now.snapshot.fleet.map { TopLine(TopPiece($0.message, .bad)) }
    }

    private var clients: [TopLine] {
        TopLine.aligned(
            now.snapshot.clients.filter(\.isWorking).map {
                [TopPiece($0.name), TopPiece($0.text)]
            }
        )
    }

    private var errors: [TopLine] {
        TopLine.aligned(
            now.snapshot.errors.prefix(Self.errorsMax).map { error in
                [
                    TopPiece(error.age), TopPiece(error.source),
                    TopPiece(error.what, .bad),
                ]
            }
        )
    }

    /// Returns a rate such as `0/s`, `3.5/s` or `1,234/s`.
    private static func perSecond(_ rate: Double) -> String {
        guard rate < 9.95 else { return "\(FigureText.grouped(Int(rate.rounded())))/s" }
        let tenths = Int((rate * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)/s" : "\(tenths / 10).\(tenths % 10)/s"
    }
}
