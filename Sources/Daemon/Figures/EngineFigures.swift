import Engine
import SearchModel

/// The engine's part of the daemon's figures.
struct EngineFigures: Sendable {
    var cache: ResultCache.Figures
    var flights: FlightFigures
    var searches: SearchFigures
    var upstream: [SourceName: UpstreamFigures.OfSource]
}
