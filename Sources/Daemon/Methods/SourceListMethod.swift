import Engine
import JSON
import RPC
import SearchModel

/// Every source there is, whether it can be asked or not.
struct SourceListMethod: Method {
    let directory: DirectoryBox
    let figures: UpstreamFigures
    /// How every source stands before its limits; called on the loop.
    let standings: @Sendable () -> [SourceName: SourceStanding]
    /// Seconds since 1970: quotas begin anew at a time of day.
    let wallClock: @Sendable () -> Int64

    let description = MethodDescription.sourceList
    let capabilities = ["sources"]
    let agentDescription: AgentDescription? = AgentDescription(
        title: "Sources",
        useWhen: "To learn which sources there are, what they take as options and what is left of their quotas. Free.",
        isReadOnly: true,
        asksSources: false
    )

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        let listing = SourceListing(
            directory.current,
            upstream: figures.bySource,
            standings: standings(),
            at: wallClock()
        )
        return .answered(.writing(listing.write))
    }
}
