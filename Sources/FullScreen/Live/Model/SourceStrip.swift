import Client
import JSON
import RPC
import SearchModel

/// How the sources of the search under way are doing, in one line; pure.
struct SourceStrip {
    typealias Piece = (text: String, look: StripLook)

    enum StripLook {
        case bad
        case waiting
        case good
    }

    private enum State {
        case waits(String)
        case done(SearchReport.Source)
    }

    private var entries: [(name: String, state: State)] = []
    private var progress: (answered: Int, asked: Int)?
    private var isUnderWay = false

    mutating func begin() {
        self = SourceStrip()
        isUnderWay = true
    }

    mutating func received(progress params: JSONCursor) {
        guard let answered = params[.answered]?.int, let asked = params[.asked]?.int else { return }
        progress = (answered, asked)
    }

    mutating func received(source params: JSONCursor) {
        let name = params[.source]?.string ?? "?"
        switch params[.status]?.word(SourceStatus.self) {
        case .queued: set(name, .waits(WaitingSources.reasonText(params)))
        case .retrying: set(name, .waits("trying again"))
        default: set(name, .done(SearchReport.Source(params)))
        }
    }

    mutating func finish(_ report: SearchReport) {
        isUnderWay = false
        progress = nil
        entries = report.sources.map { ($0.name, .done($0)) }
    }

    mutating func fail() {
        isUnderWay = false
        progress = nil
        entries.removeAll { if case .waits = $0.state { true } else { false } }
    }

    private mutating func set(_ name: String, _ state: State) {
        if let index = entries.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
            entries[index].state = state
        } else {
            entries.append((name, state))
        }
    }

    /// What is wrong first, then what is waited for, then what has answered.
    func pieces(clock: LocalClock) -> [Piece] {
        let reports = entries.compactMap { entry in
            if case .done(let report) = entry.state { report } else { nil }
        }
        var troubles = SourceTroubles(clock: clock)
        for report in reports where report.status != .late {
            if let trouble = report.trouble { troubles.add(trouble, of: report.name) }
        }
        var pieces: [Piece] = troubles.errors.map { ("✗ \($0.message)", .bad) }
        for entry in entries {
            if case .waits(let text) = entry.state { pieces.append(("… \(entry.name): \(text)", .waiting)) }
        }
        if isUnderWay { pieces.append((outText, .waiting)) }
        let late = reports.filter { $0.status == .late }.map(\.name)
        if !late.isEmpty { pieces.append(("late: \(FigureText.names(late))", .waiting)) }
        pieces += Self.skipped(reports)
        let answered = reports.filter { $0.status == .ok || $0.status == .partial }
        let cached = answered.filter { $0.cache?.isCached == true }
        let fresh = answered.filter { $0.cache?.isCached != true }.map(\.name)
        if !fresh.isEmpty { pieces.append(("✓ " + fresh.joined(separator: " "), .good)) }
        if !cached.isEmpty {
            let age = cached.compactMap(\.age).max() ?? 0
            let text = age < 1 ? "cached" : "cached \(FigureText.age(seconds: age)) ago"
            pieces.append(("✓ \(text): \(cached.map(\.name).joined(separator: " "))", .good))
        }
        return pieces.map { (VisibleText.visible($0.text), $0.look) }
    }

    private var outText: String {
        guard let progress, progress.answered < progress.asked else { return "… searching" }
        return "… \(progress.answered) of \(progress.asked) answered"
    }

    private static func skipped(_ reports: [SearchReport.Source]) -> [Piece] {
        var reasons: [(words: String, names: [String])] = []
        for report in reports where report.status == .skipped {
            let words = report.reason.map(SummaryText.shortWords) ?? "not cached"
            if let index = reasons.firstIndex(where: { $0.words == words }) {
                reasons[index].names.append(report.name)
            } else {
                reasons.append((words, [report.name]))
            }
        }
        return reasons.map { ("not asked (\($0.words)): \(FigureText.names($0.names))", .waiting) }
    }
}

/// How many hits there are: in the list, within reach, and by what the sources claim; pure.
struct HitTotals: Equatable {
    private(set) var claimed: Int?
    private(set) var reachable: Int?
    private(set) var isExact = false

    init() {}

    init(_ result: JSONCursor) {
        let sources = result[.sources]?.elements ?? []
        claimed = Self.sum(sources.compactMap { $0[.total]?.int })
        reachable = Self.sum(sources.compactMap { min($0[.reachable]?.int ?? .max, $0[.total]?.int ?? .max) })
        isExact = sources.count == 1 && sources[0][.totalIsEstimate]?.bool != true
    }

    /// What the words of `text` mean.
    static let meanings = [
        ("loaded", "hits that are here"), ("by scrolling", "as far as they answer"),
        ("in all", "what the sources claim"),
    ]

    /// `40 loaded · 1,600 by scrolling · about 10,969 in all`.
    func text(seen: Int, hasMore: Bool) -> String {
        var parts = [hasMore ? "\(FigureText.grouped(seen)) loaded" : FigureText.count(seen, "hit")]
        if hasMore, let reachable, reachable > seen, reachable < claimed ?? .max {
            parts.append("\(FigureText.grouped(reachable)) by scrolling")
        }
        if let claimed, claimed > seen {
            parts.append("\(isExact ? "" : "about ")\(FigureText.grouped(claimed)) in all")
        }
        return parts.joined(separator: " · ")
    }

    private static func sum(_ figures: [Int]) -> Int? {
        guard !figures.isEmpty else { return nil }
        return figures.reduce(0) { sum, next in
            let (result, overflow) = sum.addingReportingOverflow(next)
            return overflow ? .max : result
        }
    }
}
