import Engine
import EventLoop
import RPC
import SearchModel
import Storage
import Upstream

/// The figures that are plain counts, and others that are written alike as JSON and as metrics.
extension DaemonFigures {
    var connectionFigures: FigureValues {
        FigureValues(
            .connections,
            [
                .open: connections.open, .clients: connections.clients, .accepted: counters.connectionsAccepted,
                .refused: counters.connectionsRefused, .stalled: counters.connectionsStalled,
                .replaced: counters.connectionsReplaced, .bytesIn: counters.bytesIn, .bytesOut: counters.bytesOut,
                .inFlight: connections.inFlight,
            ]
        )
    }

    var searchFigures: FigureValues {
        let searches = engine.searches
        return FigureValues(
            .searches,
            [:],
            [
                .cache: .counts(CacheUse.allCases.map { ($0.rawValue, searches.byCacheUse[$0] ?? 0) }),
                .status: .counts(SourceStatus.final.map { ($0.rawValue, searches.byStatus[$0] ?? 0) }),
                .hits: .counts(searches.hits.map { ($0.key.text, $0.value) }.sorted { $0.0 < $1.0 }),
            ]
        )
    }

    var flightFigures: FigureValues {
        let flights = engine.flights
        return FigureValues(
            .flights,
            [
                .calls: flights.flights, .waiters: flights.waiters, .led: flights.led, .joined: flights.joined,
                .refused: flights.refused, .abandoned: flights.abandoned,
            ]
        )
    }

    var queueFigures: FigureValues {
        FigureValues(
            .queue,
            [.waiting: engine.waiting, .running: engine.running],
            [.waits: .counts(WaitReason.allCases.map { ($0.rawValue, engine.waits[$0] ?? 0) })]
        )
    }

    var memoryFigures: FigureValues {
        FigureValues(
            .memory,
            [
                .resident: memory.resident, .connections: memory.held, .connectionsMax: memory.heldMax,
            ]
        )
    }

    var loopFigures: FigureValues {
        FigureValues(
            .loop,
            [:],
            [
                .longestTurn: .milliseconds(Double(loop.longestTurnNanoseconds) / 1_000_000),
                .turns: .histogram(loop.turns),
                .longestStep: .milliseconds(Double(loop.longestStepNanoseconds) / 1_000_000),
                .steps: .histogram(loop.steps),
            ]
        )
    }
}

extension FigureValues {
    init(_ cache: ResultCache.Figures) {
        self.init(
            .cache,
            [
                .entries: cache.entries, .bytes: cache.bytes, .limit: cache.limit, .hits: cache.hits,
                .misses: cache.misses, .stale: cache.stale, .evictions: cache.evictions,
            ]
        )
    }

    init(_ pictures: PictureFigures) {
        self.init(
            .pictures,
            [
                .entries: pictures.entries, .bytes: pictures.bytes, .limit: pictures.limit, .hits: pictures.hits,
                .misses: pictures.misses, .evictions: pictures.evictions,
            ]
        )
    }

    init(_ disk: PageArchive.Figures) {
        self.init(
            .disk,
            [
                .entries: disk.entries, .bytes: disk.bytes, .limit: disk.limit, .hits: disk.hits,
                .misses: disk.misses, .evictions: disk.evictions, .dropped: disk.dropped,
            ]
        )
    }
}
