import Catalogue
import Engine
import EventLoop
import Fleet
import Glibc
import JSON
import RPC
import SearchModel
import Storage
import Upstream

/// The counters of all sessions since the start; used only on the event loop.
final class Counters {
    static let ok = "ok"
    static let invalidLine = "invalid"
    static let unknownMethod = "unknown"

    /// Methods on personal data are not counted, because other users can see the counters.
    var uncounted: Set<String> = []
    var notifications = 0
    var connectionsRefused = 0
    var connectionsStalled = 0
    /// The number of replies by method, then by `ok` or the kind of error.
    private(set) var outcomes: [String: [String: Int]] = [:]

    func answered(_ method: String, _ reply: Reply) {
        guard !uncounted.contains(method) else { return }
        outcomes[method, default: [:]][reply.errorKind ?? Self.ok, default: 0] += 1
    }
}

/// The figures of the daemon at one moment, for `server/stats` and `server/metrics`.
struct DaemonFigures {
    let uptime: Duration
    let reloadedAt: Int64
    let reloadRefusedAt: Int64?
    let counters: Counters
    let clients: [ClientActivity]
    let usage: SessionUsage.Amounts
    let engine: EngineFigures
    let cacheProblem: (message: String, hint: String)?
    let loop: LoopFigures

    private static var residentBytes: Int {
        guard let file = try? SmallFile.read("/proc/self/statm", bytesMax: 128) else { return 0 }
        let fields = String(decoding: file.bytes, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * Int(getpagesize())
    }

    private var connections: FigureValues {
        FigureValues(
            .connections,
            [
                .open: .count(usage.connections), .clients: .count(clients.count),
                .refused: .count(counters.connectionsRefused), .stalled: .count(counters.connectionsStalled),
                .inFlight: .count(usage.requests),
            ]
        )
    }

    private var searches: FigureValues {
        let searches = engine.searches
        return FigureValues(
            .searches,
            [
                .cache: .counts(CacheUse.allCases.map { ($0.rawValue, searches.byCacheUse[$0] ?? 0) }),
                .status: .counts(SourceStatus.final.map { ($0.rawValue, searches.byStatus[$0] ?? 0) }),
            ]
        )
    }

    private var flights: FigureValues {
        FigureValues(
            .flights,
            [
                .calls: .count(engine.flights), .waiters: .count(engine.waiters),
                .waiting: .count(engine.waiting),
            ]
        )
    }

    private var memory: FigureValues {
        FigureValues(.memory, [.resident: .count(Self.residentBytes), .connections: .count(usage.bytes)])
    }

    private var loopValues: FigureValues {
        FigureValues(
            .loop,
            [
                .longestTurn: .milliseconds(Double(loop.longestTurnNanoseconds) / 1_000_000),
                .turns: .histogram(loop.turns),
            ]
        )
    }

    func write(to writer: inout JSONWriter, showsClient: (_ userID: UInt32) -> Bool) {
        writer.member(.uptime, uptime.milliseconds.rounded() / 1000)
        writer.member(.reloadedAt, RFC3339.text(reloadedAt))
        writer.member(.reloadRefusedAt, reloadRefusedAt.map { RFC3339.text($0) })
        let calls = engine.upstream.values
        let offlineAt = calls.map(\.offlineAt).max() ?? 0
        if offlineAt > calls.map(\.respondedAt).max() ?? 0 { writer.member(.offline, RFC3339.text(offlineAt)) }
        writer.object(.requests) { writer in
            writer.counts(counters.outcomes.mapValues { $0.values.reduce(0, +) }.inOrder)
            writer.member(.notifications, counters.notifications)
        }
        writer.object(.searches, searches.write)
        writer.object(.connections, connections.write)
        writer.array(.clients) { writer in
            for client in clients.filter({ showsClient($0.userID) }).prefix(WireBounds.clientsMax) {
                writer.object(client.write)
            }
        }
        writer.object(.cache) { $0.cache(engine.cache, engine.disk) }
        writer.object(.flights, flights.write)
        writer.object(.upstream, writeUpstream)
        writer.array(.errors, writeErrors)
        writer.object(.limits, writeLimits)
        if let failure = engine.ledgerFailure { writer.problem(.ledger, failure.message, failure.hint ?? "") }
        if let cacheProblem { writer.problem(.cacheProblem, cacheProblem.message, cacheProblem.hint) }
        if let fleet = engine.fleet { writer.object(.fleet) { writeFleet(fleet, to: &$0) } }
        writer.object(.memory, memory.write)
        writer.object(.loop, loopValues.write)
    }

    private func writeFleet(_ fleet: SharedServer.Figures, to writer: inout JSONWriter) {
        writer.member(.state, fleet.trouble == nil ? "ok" : "offline")
        writer.member(.address, fleet.address)
        writer.member(.name, fleet.name)
        FigureValues(fleet).write(to: &writer)
        writer.member(.message, fleet.trouble?.message)
        writer.member(.hint, fleet.trouble?.hint)
    }

    private func writeErrors(to writer: inout JSONWriter) {
        let failures = engine.upstream.compactMap { source, figures in
            figures.health.latestFailure.map { (source: source, failure: $0) }
        }
        for (source, failure) in failures.sorted(by: { $0.failure.lastAt > $1.failure.lastAt }) {
            writer.object { writer in
                writer.member(.source, source.text)
                writer.member(.kind, failure.kind.rawValue)
                writer.member(.count, failure.count)
                writer.member(.first, RFC3339.text(failure.since))
                writer.member(.last, RFC3339.text(failure.lastAt))
            }
        }
    }

    private func writeUpstream(to writer: inout JSONWriter) {
        for (source, figures) in engine.upstream.sorted(by: { $0.key < $1.key }) {
            writer.name(source.text)
            writer.object { writer in
                writer.counts(figures.calls.inOrder)
                writer.object(.latency) { $0.histogram(figures.latency) }
            }
        }
    }

    private func writeLimits(to writer: inout JSONWriter) {
        for (source, standing) in engine.standings.sorted(by: { $0.key < $1.key }) {
            writer.name(source.text)
            writer.object { writer in
                writer.member(.state, standing.state.rawValue)
                writer.object(.left) { writer in
                    for figures in standing.quotas {
                        writer.name(figures.name)
                        writer.amount(figures.left, of: figures.quota)
                    }
                }
            }
        }
    }

    var metrics: [MetricFamily] {
        let groups = [
            memory, loopValues, connections, searches, FigureValues(engine.cache), engine.disk.map { FigureValues($0) },
            flights, engine.fleet.map { FigureValues($0) },
        ]
        return serverMetrics + groups.compactMap(\.self).flatMap(\.metrics) + upstreamMetrics + limitMetrics
    }

    private var serverMetrics: [MetricFamily] {
        var build = MetricFamily("searchd_build_info", "The label has the program's version. The value is always 1.")
        build.add(1, ("version", Version.program))
        var up = MetricFamily("searchd_uptime_seconds", "Seconds since the daemon started.")
        up.add(uptime.milliseconds / 1000)
        var requests = MetricFamily("searchd_requests_total", "Requests answered, by method and outcome.")
        for (method, outcomes) in counters.outcomes.sorted(by: { $0.key < $1.key }) {
            for (outcome, count) in outcomes.inOrder { requests.add(count, ("method", method), ("outcome", outcome)) }
        }
        return [build, up, requests]
    }

    private var upstreamMetrics: [MetricFamily] {
        var calls = MetricFamily("searchd_upstream_calls_total", "Calls to sources, by HTTP status or kind of error.")
        var latency = MetricFamily("searchd_upstream_seconds", "Response times of sources.")
        for (source, figures) in engine.upstream.sorted(by: { $0.key < $1.key }) {
            for (outcome, count) in figures.calls.inOrder {
                calls.add(count, ("source", source.text), ("status", outcome))
            }
            if figures.latency.count > 0 { latency.add(figures.latency, ("source", source.text)) }
        }
        return [calls, latency]
    }

    private var limitMetrics: [MetricFamily] {
        var open = MetricFamily("searchd_source_open", "1 if a source is suspended: it failed or costs too much.")
        var left = MetricFamily("searchd_quota_left", "Remaining calls of a quota, or remaining money in its unit.")
        var limit = MetricFamily("searchd_quota_limit", "Maximum calls of a quota, or maximum money in its unit.")
        for (source, standing) in engine.standings.sorted(by: { $0.key < $1.key }) {
            open.add(standing.state == .suspended ? 1 : 0, ("source", source.text))
            for figures in standing.quotas {
                let unit = figures.quota.currency.map { [("unit", $0)] } ?? []
                let labels = [("source", source.text), ("quota", figures.name)] + unit
                let scale = unit.isEmpty ? 1 : Double(Money.scale)
                left.add(Double(figures.left) / scale, labels)
                limit.add(Double(figures.limit) / scale, labels)
            }
        }
        return [open, left, limit]
    }
}

struct EngineFigures: Sendable {
    let cache: ResultCache.Figures
    let disk: PageArchive.Figures?
    let flights: Int
    /// Callers that wait for a call in flight.
    let waiters: Int
    let searches: SearchCounts
    let upstream: [SourceName: UpstreamFigures.OfSource]
    let standings: [SourceName: SourceAvailability]
    let ledgerFailure: SearchError?
    /// Calls that wait to be started.
    let waiting: Int
    let fleet: SharedServer.Figures?
}
