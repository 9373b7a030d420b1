import Client
import Hangul
import RPC
import Terminal

/// The screen of `top` at one moment: as many lines as fit, none wider than the terminal; pure.
///
/// On a small screen the most important comes first: the figures, then the busiest sources, quotas, errors.
struct TopScreen {
    private static let errorsMax = 6
    private static let barColumns = 5...30

    private let history: TopHistory
    private let columns: Int
    private let rows: Int
    /// The first line shown of those below the head; at 0 the tables share the space.
    private(set) var firstLine = 0

    /// - Parameters:
    ///   - history: What is shown.
    ///   - columns: The width of the terminal.
    ///   - rows: Its height.
    ///   - firstLine: How far the user has scrolled; the end is used where that is too far.
    init(_ history: TopHistory, columns: Int, rows: Int, firstLine: Int = 0) {
        (self.history, self.columns, self.rows) = (history, columns, rows)
        self.firstLine = min(max(0, firstLine), lastFirstLine)
    }

    private var now: TopMoment { history.current }

    var screen: Screen {
        let body = firstLine == 0 ? overview : Array(everything.dropFirst(firstLine).prefix(room))
        let filled = body + Array(repeating: TopLine(), count: max(0, room - body.count))
        let foot = TopLine(lastFirstLine > 0 ? "↑ ↓ scroll · q quits" : "q quits", .dim)
        var screen = Screen(columns: columns, rows: rows)
        for (row, line) in (head + filled + [foot]).enumerated() { line.write(on: &screen, row: row) }
        return screen
    }

    // MARK: Scrolling

    /// Where the list begins after a key.
    func firstLine(after key: TopKey) -> Int {
        let wanted =
            switch key {
            case .lines(let lines): firstLine + lines
            case .pages(let pages): firstLine + pages * max(1, room - 1)
            case .start: 0
            case .end: Int.max
            case .suspend, .quit, .interrupt: firstLine
            }
        return min(max(0, wanted), lastFirstLine)
    }

    private var room: Int { max(0, rows - head.count - 1) }
    private var lastFirstLine: Int { max(0, everything.count - room) }

    /// The tables, each cut to its part of the room.
    private var overview: [TopLine] {
        let errors = table("ERRORS", errors, room: room / 4)
        let clients = table("CLIENTS", clients, room: (room - errors.count) / 4)
        let quotas = table("QUOTAS", quotas, room: (room - errors.count - clients.count) / 3)
        let others = quotas + clients + errors
        return Array((table("", sources, room: room - others.count) + others).prefix(room))
    }

    /// The tables with all their rows.
    private var everything: [TopLine] {
        [("", sources), ("QUOTAS", quotas), ("CLIENTS", clients), ("ERRORS", errors)].flatMap { title, rows in
            table(title, rows, room: .max)
        }
    }

    // MARK: Head

    private var head: [TopLine] { [headline, requests, figures] }

    private var headline: TopLine {
        let health = now.snapshot.health
        var line = TopLine(health.sentence, health.status == .found ? .good : .bad)
        line.add(" · searchd \(now.snapshot.version), \(now.snapshot.uptimeText)")
        return line
    }

    private var requests: TopLine {
        var line = TopLine("requests ")
        line.add(DisplayWidth.padded(Self.perSecond(history.rate(\.requests)), 9, toRight: true), .bold)
        line.add(" ")
        line.add(Graph.sparkline(history.rates, columns: columns - line.columns), .accent)
        return line
    }

    private var figures: TopLine {
        let uses = history.growth(\.uses)
        let share =
            uses > 0
            ? FigureText.percent(history.growth(\.hits), of: uses) + " cached"
            : "\(FigureText.percent(now.hits, of: now.uses)) cached so far"
        var line = TopLine("hits ")
        line.add(Self.perSecond(history.rate(\.hits)), .bold)
        line.add(", \(share)")
        line.add(" · \(FigureText.count(now.clientCount, "client")), \(FigureText.grouped(now.working)) active")
        line.add(" · \(FigureText.count(now.flights, "call")), \(FigureText.grouped(now.waiters)) waiting")
        if now.memory > 0 { line.add(" · \(FigureText.bytes(now.memory))") }
        return line
    }

    // MARK: Tables

    /// A table behind an empty line and its title, cut to the room there is; nothing without room for a row.
    private func table(_ title: String, _ rows: [TopLine], room: Int) -> [TopLine] {
        guard !rows.isEmpty, room >= 3 else { return [] }
        let shown = min(rows.count, room - 2)
        let head = title.isEmpty ? [TopLine()] : [TopLine(), TopLine(title, .dim)]
        guard shown < rows.count else { return head + rows }
        return head + rows.prefix(shown - 1) + [TopLine("… \(rows.count - shown + 1) more", .dim)]
    }

    /// The busiest first; of those that are as busy, the ones in trouble.
    private var sources: [TopLine] {
        let entries = now.snapshot.enabled.map { entry in
            let rate = history.rate { $0.upstream[entry.name]?.calls ?? 0 }
            return (entry: entry, rate: rate, rank: entry.isTroubled ? 0 : entry.isWaiting ? 1 : 2)
        }
        let ordered = entries.sorted { left, right in
            if left.rate != right.rate { return left.rate > right.rate }
            return left.rank != right.rank ? left.rank < right.rank : left.entry.name < right.entry.name
        }
        guard !ordered.isEmpty else { return [] }
        let head = ["SOURCE", "CALLS", "LATENCY", "STATE"].map { TopLine.Piece(text: $0, look: .dim) }
        let rows = ordered.map { entry, rate, rank in
            [
                TopLine.Piece(text: entry.name), TopLine.Piece(text: Self.perSecond(rate)),
                TopLine.Piece(text: history.latency(of: entry.name).map(FigureText.time(milliseconds:)) ?? "–"),
                TopLine.Piece(text: entry.state, look: rank == 0 ? .bad : .plain),
            ]
        }
        return TopLine.aligned([head] + rows, rightColumns: [1, 2])
    }

    private var quotas: [TopLine] {
        let bar = min(Self.barColumns.upperBound, max(Self.barColumns.lowerBound, columns / 5))
        return TopLine.aligned(
            now.snapshot.quotas.map { quota in
                let left = Graph.bar(1 - quota.usedShare, columns: bar)
                return [
                    TopLine.Piece(text: quota.label),
                    TopLine.Piece(text: left, look: quota.isUsedUp ? .bad : .accent), TopLine.Piece(text: quota.text),
                ]
            }
        )
    }

    private var clients: [TopLine] {
        TopLine.aligned(
            now.snapshot.clients.filter(\.isWorking).map {
                [TopLine.Piece(text: $0.name), TopLine.Piece(text: $0.text)]
            }
        )
    }

    private var errors: [TopLine] {
        TopLine.aligned(
            now.snapshot.errors.prefix(Self.errorsMax).map { error in
                [
                    TopLine.Piece(text: error.age), TopLine.Piece(text: error.source),
                    TopLine.Piece(text: error.what, look: .bad),
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
