import Engine

extension EngineFigures {
    /// Reads them; on the loop.
    static func reader(
        _ cache: ResultCache,
        _ disk: DiskTier?,
        _ inFlight: InFlight<PageKey, CachedPage>,
        _ federation: Federation,
        _ upstream: UpstreamFigures
    ) -> @Sendable () -> EngineFigures {
        {
            // All of these live on the loop, where the figures are asked for.
            EngineFigures(
                cache: cache.assumeIsolated { $0.figures },
                disk: disk?.figures,
                flights: inFlight.assumeIsolated { $0.figures },
                searches: federation.assumeIsolated { $0.figures },
                upstream: upstream.bySource
            )
        }
    }
}
