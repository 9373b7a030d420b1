import Client
import JSON
import RPC
import SearchModel

/// The state of the sources of a search, on one line.
struct SourceStrip {
    typealias Piece = (text: String, role: Role)

    enum Role {
        case bad, waiting, good
    }

    private enum State {
        case waiting(String)
        case done(SearchReport.Source)
    }

    private var entries: [(name: String, state: State)] = []
    private var progress: (answered: Int, asked: Int)?
    /// Sources that were not asked, or not waited for.
    private var missing: [String] = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func receive(progress params: JSONCursor) {
        guard let answered = params[.answered]?.int, let asked = params[.asked]?.int else { return }
        progress = (answered, asked)
    }

    mutating func receive(source params: JSONCursor) {
        let name = params[.source]?.string ?? "?"
        let state: State =
            switch params[.status]?.word(SourceStatus.self) {
            case .queued: .waiting(WaitingSources.reasonText(params))
            case .retrying: .waiting("trying again")
            default: .done(SearchReport.Source(params))
            }
        if let index = entries.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
            entries[index].state = state
        } else {
            entries.append((name, state))
        }
    }

    mutating func finish(_ report: SearchReport) {
        entries = report.sources.map { ($0.name, .done($0)) }
        missing = [SummaryText.late(report), SummaryText.skipped(report)].compactMap(\.self)
    }

    /// Removes the sources that the failed search waited for.
    mutating func fail() { entries.removeAll { if case .waiting = $0.state { true } else { false } } }

    /// Returns failures first, then sources that have not answered, then answers.
    func pieces(isSearching: Bool, clock: LocalClock) -> [Piece] {
        var troubles = SourceTroubles(clock: clock)
        var waiting: [String] = []
        var answered: [SearchReport.Source] = []
        for entry in entries {
            switch entry.state {
            case .waiting(let text): waiting.append("… \(entry.name): \(text)")
            case .done(let report):
                if report.status != .late, let trouble = report.trouble { troubles.add(trouble, of: report.name) }
                if report.status == .ok || report.status == .partial { answered.append(report) }
            }
        }
        if isSearching { waiting.append(searching) }
        var good: [String] = []
        let cached = answered.filter { $0.cache?.isCached == true }
        let fresh = answered.filter { $0.cache?.isCached != true }.map(\.name)
        if !fresh.isEmpty { good.append("✓ " + fresh.joined(separator: " ")) }
        if !cached.isEmpty {
            let age = cached.compactMap(\.age).max() ?? 0
            let text = age < 1 ? "cached" : "cached \(FigureText.age(seconds: age)) ago"
            good.append("✓ \(text): \(cached.map(\.name).joined(separator: " "))")
        }
        let pieces =
            troubles.errors.map { ("✗ \($0.message)", Role.bad) } + (waiting + missing).map { ($0, .waiting) }
            + good.map { ($0, .good) }
        return pieces.map { (VisibleText.visible($0.0), $0.1) }
    }

    private var searching: String {
        guard let progress, progress.answered < progress.asked else { return "… searching" }
        return "… \(progress.answered) of \(progress.asked) answered"
    }
}
