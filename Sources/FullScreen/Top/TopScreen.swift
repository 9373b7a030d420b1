import Client
import Hangul
import JSON
import RPC
import SearchModel
import Terminal

/// Draws `top`: three lines of figures, then tables, the busiest sources first.
struct TopScreen {
    private static let errorsMax = 6
    private static let barColumns = 5...30

    private let history: TopHistory
    private let columns: Int
    private let rows: Int
    /// The first line of the tables that is shown.
    private(set) var firstLine = 0

    /// - Parameters:
    ///   - history: The moments to show.
    ///   - columns: The width of the terminal.
    ///   - rows: Its height.
    ///   - firstLine: The first line after scrolling; limited to the last possible one.
    init(_ history: TopHistory, columns: Int, rows: Int, firstLine: Int = 0) {
        (self.history, self.columns, self.rows) = (history, columns, rows)
        self.firstLine = min(max(0, firstLine), lastFirstLine)
    }

    var screen: Screen {
        let shown = Array(tables.dropFirst(firstLine).prefix(tableRows))
        let blanks = Array(repeating: TopLine(), count: tableRows - shown.count)
        let foot = TopLine(lastFirstLine > 0 ? "↑ ↓ scroll · q quits" : "q quits", .dim)
        var screen = Screen(columns: columns, rows: rows)
        for (row, line) in (head + shown + blanks + [foot]).enumerated() { line.draw(on: &screen, row: row) }
        return screen
    }

    /// Returns the first line after a key.
    func firstLine(after key: TopKey) -> Int {
        let wanted =
            switch key {
            case .lines(let lines): firstLine + lines
            case .pages(let pages): firstLine + pages * max(1, tableRows - 1)
            case .start: 0
            case .end: Int.max
            case .suspend, .quit, .interrupt: firstLine
            }
        return min(max(0, wanted), lastFirstLine)
    }

    private var tableRows: Int { max(0, rows - head.count - 1) }
    private var lastFirstLine: Int { max(0, tables.count - tableRows) }
    private var now: TopMoment { history.current }

    // MARK: Head

    private var head: [TopLine] {
        let health = now.snapshot.health
        var first = TopLine(health.sentence, health.status == .found ? .good : .bad)
        first.add(" · searchd \(now.snapshot.version), \(now.snapshot.uptimeText)")
        var second = TopLine("requests ")
        second.add(DisplayWidth.padded(Self.perSecond(history.rate(\.requests)), 9, toRight: true), .bold)
        second.add(" ")
        second.add(Graph.sparkline(history.rates, columns: columns - second.columns), .accent)
        return [first, second, figures]
    }

    private var figures: TopLine {
        let (uses, stats) = (history.growth(\.uses), now.snapshot.stats)
        let share =
            uses > 0
            ? FigureText.percent(history.growth(\.hits), of: uses) + " cached"
            : "\(FigureText.percent(now.hits, of: now.uses)) cached so far"
        let (connections, flights) = (stats?[.connections], stats?[.flights])
        let active = connections?[.inFlight]?.int ?? 0
        // Without `top` itself.
        let clients = max(0, (connections?[.clients]?.int ?? connections?[.open]?.int ?? 1) - 1)
        var line = TopLine("hits ")
        line.add(Self.perSecond(history.rate(\.hits)), .bold)
        line.add(", \(share) · \(FigureText.count(clients, "client")), \(FigureText.grouped(active)) active")
        let (calls, waiters) = (flights?[.calls]?.int ?? 0, flights?[.waiters]?.int ?? 0)
        line.add(" · \(FigureText.count(calls, "call")), \(FigureText.grouped(waiters)) waiting")
        if let memory = stats?[.memory]?[.resident]?.int { line.add(" · \(FigureText.bytes(memory))") }
        return line
    }

    // MARK: Tables

    private var tables: [TopLine] {
        let tables = [("", sources), ("QUOTAS", quotas), ("CLIENTS", clients), ("ERRORS", errors)]
        return tables.filter { !$0.1.isEmpty }.flatMap { title, rows in
            (title.isEmpty ? [TopLine()] : [TopLine(), TopLine(title, .dim)]) + rows
        }
    }

    /// Sources that were called within a minute, by activity, and sources in trouble; the number of the others.
    private var sources: [TopLine] {
        let entries = now.snapshot.enabled.map { entry in
            (
                entry: entry, rate: history.rate { $0.upstream[entry.name]?.calls ?? 0 },
                recent: history.recentCalls(of: entry.name), rank: entry.isTroubled ? 0 : entry.isWaiting ? 1 : 2
            )
        }
        let ordered = entries.filter { $0.recent > 0 || $0.rank < 2 }.sorted { left, right in
            if left.rate != right.rate { return left.rate > right.rate }
            if left.recent != right.recent { return left.recent > right.recent }
            return left.rank != right.rank ? left.rank < right.rank : left.entry.name < right.entry.name
        }
        let head = ["SOURCE", "CALLS", "LATENCY", "STATE"].map { TopLine.Piece($0, .dim) }
        let rows = ordered.map { source in
            [
                TopLine.Piece(source.entry.name), TopLine.Piece(Self.perSecond(source.rate)),
                TopLine.Piece(history.latency(of: source.entry.name).map(FigureText.time(milliseconds:)) ?? "–"),
                TopLine.Piece(source.entry.state, source.rank == 0 ? .bad : .plain),
            ]
        }
        let idle = entries.count - ordered.count
        let rest = idle > 0 ? [TopLine("\(FigureText.count(idle, "source")) without calls for a minute", .dim)] : []
        return (rows.isEmpty ? [] : TopLine.aligned([head] + rows, rightColumns: [1, 2])) + rest
    }

    private var quotas: [TopLine] {
        let bar = min(Self.barColumns.upperBound, max(Self.barColumns.lowerBound, columns / 5))
        return TopLine.aligned(
            now.snapshot.quotas.map { quota in
                let left = Graph.bar(1 - quota.usedShare, columns: bar)
                return [
                    TopLine.Piece(quota.label),
                    TopLine.Piece(left, quota.isUsedUp ? .bad : .accent), TopLine.Piece(quota.text),
                ]
            }
        )
    }

    private var clients: [TopLine] {
        TopLine.aligned(
            now.snapshot.clients.filter(\.isWorking).map {
                [TopLine.Piece($0.name), TopLine.Piece($0.text)]
            }
        )
    }

    private var errors: [TopLine] {
        TopLine.aligned(
            now.snapshot.errors.prefix(Self.errorsMax).map { error in
                [
                    TopLine.Piece(error.age), TopLine.Piece(error.source),
                    TopLine.Piece(error.what, .bad),
                ]
            }
        )
    }

    /// `0/s`, `3.5/s`, `1,234/s`.
    private static func perSecond(_ rate: Double) -> String {
        guard rate < 9.95 else { return "\(FigureText.grouped(Int(rate.rounded())))/s" }
        let tenths = Int((rate * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)/s" : "\(tenths / 10).\(tenths % 10)/s"
    }
}
