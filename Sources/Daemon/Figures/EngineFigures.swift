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
    /// Calls that failed lately, the newest first.
    var errors: [RecentErrors.Entry] = []
    /// How each source stands before its limits.
    var standings: [SourceName: SourceStanding]
    var waits: [CallEvent.WaitReason: Int]
    /// Calls that wait for their turn, and those under way.
    var waiting: Int
    var running: Int
}
