// SPDX-License-Identifier: Apache-2.0

import Client
import Hangul
import JSON
import RPC
import SearchModel
import Terminal

/// Draws the screen of `top`: three lines of numbers, then tables.
struct TopScreen {
    private typealias Line = [(text: String, look: Look)]

    private static let barColumns = 5...30
    private static let sourcesMin = 6

    private let history: TopHistory
    private let columns: Int
    private let rows: Int
    private(set) var firstLine = 0

    init(_ history: TopHistory, columns: Int, rows: Int, firstLine: Int = 0) {
        (self.history, self.columns, self.rows) = (history, columns, rows)
        self.firstLine = min(max(0, firstLine), lastFirstLine)
    }

    var screen: Screen {
        var screen = Screen(columns: columns, rows: rows)
        for (row, line) in (head + tables.dropFirst(firstLine).prefix(tableRows)).enumerated() {
            var column = 0
            for (text, look) in line {
                column = screen.write(text.cut(columns: columns - column), row: row, column: column, look)
            }
        }
        let keys = lastFirstLine > 0 ? "↑ ↓ scroll · q quits" : "q quits"
        if rows > head.count { screen.write(keys.cut(columns: columns), row: rows - 1, column: 0, .dim) }
        return screen
    }

    func firstLine(after action: LiveAction) -> Int {
        let wanted = action.target(from: firstLine, page: max(1, tableRows - 1)) ?? firstLine
        return min(max(0, wanted), lastFirstLine)
    }

    private var tableRows: Int { max(0, rows - head.count - 1) }
    private var lastFirstLine: Int { max(0, tables.count - tableRows) }
    private var now: TopMoment { history.current }

    private var head: [Line] {
        let (snapshot, stats) = (now.snapshot, now.snapshot.stats)
        let health = snapshot.health
        let requests = "requests \(NumberText.grouped(now.requests)) in all, "
        let rate = DisplayWidth.padded(Self.perSecond(history.rate(\.requests)), 9) + " "
        let uses = history.growth(\.uses)
        let cached =
            uses > 0
            ? NumberText.percent(history.growth(\.hits), of: uses) + " cached"
            : "\(NumberText.percent(now.hits, of: now.uses)) cached so far"
        let (connections, flights) = (stats?[.connections], stats?[.flights])
        let clients = max(0, (connections?[.clients]?.int ?? connections?[.open]?.int ?? 1) - 1)
        let active = NumberText.grouped(connections?[.inFlight]?.int ?? 0)
        let (calls, waiters) = (flights?[.calls]?.int ?? 0, flights?[.waiters]?.int ?? 0)
        let figures =
            ", \(cached) · \(NumberText.count(clients, "client")), \(active) active · "
            + "\(NumberText.count(calls, "call")), \(NumberText.grouped(waiters)) waiting"
            + (stats?[.memory]?[.resident]?.int.map { " · \(NumberText.bytes($0))" } ?? "")
        let graph = Graph.sparkline(history.rates, columns: columns - DisplayWidth.columns(of: requests + rate))
        return [
            [
                (health.sentence, health.status == .found ? .good : .bad),
                (" · searchd \(snapshot.version), \(snapshot.uptimeText)", .plain),
            ],
            [(requests, .plain), (rate, .bold), (graph, .accent)],
            [("hits ", .plain), (Self.perSecond(history.rate(\.hits)), .bold), (figures, .plain)],
        ]
    }

    private var tables: [Line] {
        let fleet = now.snapshot.fleetText.map { [$0] } ?? now.snapshot.fleet.map(\.message)
        let tables = [("Quotas", quotas), ("Fleet", fleet.map { ("", $0) })] + now.snapshot.activity
        return sources
            + tables.filter { !$0.1.isEmpty }.flatMap { title, rows in
                [[], [(title, .bold)]] + Layout(columns: columns).table(rows).map { [($0, .plain)] }
            }
    }

    /// Lists every source that is busy or in trouble, the busiest first.
    ///
    /// Adds other sources that were called, until the table has `sourcesMin` sources.
    private var sources: [Line] {
        let entries = now.snapshot.enabled.map { source in
            (source, recent: history.recentCalls(of: source.name), calls: now.upstream[source.name]?.calls ?? 0)
        }
        let active = entries.filter { $0.recent > 0 || $0.0.isTroubled || $0.0.isWaiting }
        let others = entries.filter { $0.recent == 0 && $0.calls > 0 && !$0.0.isTroubled && !$0.0.isWaiting }
            .sorted { ($1.calls, $0.0.name) < ($0.calls, $1.0.name) }
        let shown = (active + others.prefix(max(0, Self.sourcesMin - active.count)))
            .sorted { ($1.recent, $1.calls, $0.0.name) < ($0.recent, $0.calls, $1.0.name) }
        let width = max(6, shown.map { DisplayWidth.columns(of: $0.0.name) }.max() ?? 0)
        func row(_ name: String, _ calls: String, _ recent: String, _ latency: String, _ state: String) -> String {
            let figures = [calls, recent, latency].map { "  " + DisplayWidth.padded($0, 8, toRight: true) }
            return DisplayWidth.padded(name, width) + figures.joined() + "  " + state
        }
        let rows = shown.map { source, recent, calls -> Line in
            let latency = history.latency(of: source.name).map(NumberText.time(milliseconds:)) ?? "–"
            let text = row(
                source.name,
                NumberText.grouped(calls),
                NumberText.grouped(recent),
                latency,
                source.state
            )
            return [(text, source.isTroubled ? .bad : .plain)]
        }
        let recent = history.isWholeMinute ? "in 1 min" : "new"
        let head: Line = [(row("Source", "calls", recent, "latency", "state"), .bold)]
        let idle = entries.count - shown.count
        let period = history.isWholeMinute ? "for a minute" : "since “top” started"
        let rest: [Line] = idle > 0 ? [[("\(NumberText.count(idle, "source")) not called \(period)", .dim)]] : []
        return [[]] + (rows.isEmpty ? [] : [head] + rows) + rest
    }

    private var quotas: [(name: String, text: String)] {
        let quotas = now.snapshot.quotas
        func widest(_ texts: [String]) -> Int { texts.map { DisplayWidth.columns(of: $0) }.max() ?? 0 }
        let left = columns - widest(quotas.map(\.label)) - widest(quotas.map(\.text)) - 3
        let bar = min(Self.barColumns.upperBound, max(Self.barColumns.lowerBound, min(columns / 5, left)))
        return quotas.map { ($0.label, Graph.bar(1 - $0.usedShare, columns: bar) + " " + $0.text) }
    }

    private static func perSecond(_ rate: Double) -> String {
        let isSmall = rate < 9.95 && rate.rounded() != rate
        return "\(isSmall ? NumberText.tenths(rate) : NumberText.grouped(Int(rate.rounded())))/s"
    }
}

private enum Graph {
    private static let levels = Array("▁▂▃▄▅▆▇█")

    static func sparkline(_ figures: [Double], columns: Int) -> String {
        let shown = figures.suffix(max(0, columns))
        let highest = shown.max() ?? 0
        return String(
            shown.map { figure in
                guard highest > 0, figure > 0 else { return levels[0] }
                return levels[min(levels.count - 1, Int(figure / highest * Double(levels.count - 1) + 0.5))]
            }
        )
    }

    /// The bar is full only if the share is 1.
    static func bar(_ share: Double, columns: Int) -> String {
        let whole = max(0, columns)
        var filled = Int((min(1, max(0, share)) * Double(whole)).rounded())
        if share < 1, filled == whole, whole > 0 { filled -= 1 }
        return String(repeating: "█", count: filled) + String(repeating: "░", count: whole - filled)
    }
}
