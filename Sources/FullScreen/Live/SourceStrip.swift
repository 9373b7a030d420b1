import Client
import JSON
import RPC
import SearchModel

/// The state of the sources of a search, on one line.
struct SourceStrip {
    typealias Piece = (text: String, short: String, role: Role)

    enum Role {
        case bad, waiting, good
    }

    private var sources: [SearchReport.Source] = []
    private var progress = "… searching"
    private var missing: [(text: String, short: String)] = []

    var isEmpty: Bool { sources.isEmpty }

    mutating func receive(progress params: JSONCursor) {
        guard let answered = params[.answered]?.int, let asked = params[.asked]?.int, answered < asked else { return }
        progress = "… \(answered) of \(asked) answered"
        if answered + 1 == asked, let name = params[.waitingFor]?.elements.first?.string {
            progress = "… waiting for \(name)"
        }
    }

    mutating func receive(source params: JSONCursor) {
        let source = SearchReport.Source(params)
        if source.status != .queued, source.status != .retrying { sources.append(source) }
    }

    mutating func finish(_ report: SearchReport) {
        sources = report.sources
        let skipped = SummaryText.skipped(sources).map { ($0, SummaryText.skipped(sources, isShort: true) ?? $0) }
        missing = [SummaryText.late(report).map { ($0, $0) }, skipped].compactMap(\.self)
    }

    func pieces(isSearching: Bool, clock: LocalClock) -> [Piece] {
        var troubles = SourceErrors(clock: clock)
        for source in sources where source.status != .late {
            if let trouble = source.trouble { troubles.add(trouble, of: source.name) }
        }
        let failed = zip(troubles.errors, troubles.causes).map { error, cause -> Piece in
            let count = cause.names.count
            let short = count > 1 ? "\(count) sources: \(cause.error.message)" : error.message
            return ("✗ \(error.message)", "✗ \(short)", .bad)
        }
        let answered = sources.filter { $0.status == .ok || $0.status == .partial }
        let cached = answered.filter { $0.cache?.isCached == true }
        let age = cached.compactMap(\.age).max() ?? 0
        let pieces =
            failed + (missing + (isSearching ? [(progress, progress)] : [])).map { ($0.text, $0.short, .waiting) }
            + Self.good(answered.filter { $0.cache?.isCached != true }, "")
            + Self.good(cached, age < 1 ? "cached" : "cached \(NumberText.age(seconds: age)) ago")
        return pieces.map { (VisibleText.visible($0.text), VisibleText.visible($0.short), $0.role) }
    }

    private static func good(_ sources: [SearchReport.Source], _ state: String) -> [Piece] {
        guard !sources.isEmpty else { return [] }
        let names = sources.map(\.name).joined(separator: " ")
        let count = NumberText.count(sources.count, "source")
        return [
            ("✓ \(state.isEmpty ? "" : "\(state): ")\(names)", "✓ \(count)\(state.isEmpty ? "" : " \(state)")", .good)
        ]
    }
}
