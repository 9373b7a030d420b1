import Engine
import EventLoop
import RPC
import SearchModel
import Storage
import Upstream

/// Everything the daemon counts, at one moment: what `server/stats` and `server/metrics` tell.
struct DaemonFigures {
    struct Connections {
        var open = 0
        /// Programs that have them.
        var clients = 0
        /// Requests that tasks are working on.
        var inFlight = 0
    }

    struct Memory {
        var resident = 0
        /// What connections hold together, and may hold.
        var held = 0
        var heldMax = 0
    }

    var version: String
    var uptime: Duration
    /// When what stands in the files was last refused, in seconds since 1970; nil when it is in force.
    var reloadRefusedAt: Int64?
    var counters: Counters
    var connections = Connections()
    /// The busiest first.
    var clients: [ClientActivity] = []
    var engine: EngineFigures
    var memory = Memory()
    /// What is wrong with the bound of the cache, by the memory that the service may use.
    var cacheProblem: (message: String, hint: String)?
    var loop: LoopFigures
}

/// The engine's part of the daemon's figures.
struct EngineFigures: Sendable {
    var cache: ResultCache.Figures
    var pictures: PictureFigures
    /// Of the pages on disk, if any are kept there.
    var disk: PageArchive.Figures?
    var flights: FlightFigures
    var searches: SearchFigures
    var upstream: [SourceName: UpstreamFigures.OfSource]
    /// Calls that failed lately, the newest first.
    var errors: [RecentErrors.Entry] = []
    /// How each source stands before its limits.
    var standings: [SourceName: SourceStanding]
    /// Why calls can't be counted now.
    var ledgerFailure: QuotaStoreError?
    var waits: [WaitReason: Int]
    /// Calls that wait for their turn, and those under way.
    var waiting: Int
    var running: Int
}

extension EngineFigures {
    /// Reads them; on the loop.
    static func reader(
        _ cache: ResultCache,
        _ disk: DiskTier?,
        _ inFlight: InFlight<PageKey, CachedPage>,
        _ federation: Federation,
        _ upstream: UpstreamFigures,
        _ throttle: RequestThrottle,
        _ limiter: RateLimiter
    ) -> @Sendable () -> EngineFigures {
        {
            // All of these live on the loop, where the figures are asked for.
            let queues = throttle.onLoop { $0.figures }
            let waits = limiter.onLoop { $0.waits }
            return EngineFigures(
                cache: cache.onLoop { $0.figures },
                pictures: cache.onLoop { $0.pictureFigures },
                disk: disk?.figures,
                flights: inFlight.onLoop { $0.figures },
                searches: federation.onLoop { $0.figures },
                upstream: upstream.bySource,
                errors: upstream.recentErrors,
                standings: limiter.onLoop { $0.standings() },
                ledgerFailure: limiter.onLoop { $0.storeFailure },
                waits: throttle.onLoop { $0.waits }.merging(waits) { $0 + $1 },
                waiting: queues.waiting,
                running: queues.running
            )
        }
    }
}
