import Engine
import SearchModel
import Storage

/// The engine's part of the daemon's figures.
struct EngineFigures: Sendable {
    var cache: ResultCache.Figures
    /// Of the pages on disk, if any are kept there.
    var disk: PageArchive.Figures?
    var flights: FlightFigures
    var searches: SearchFigures
    var upstream: [SourceName: UpstreamFigures.OfSource]
}
