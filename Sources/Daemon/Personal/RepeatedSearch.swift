import Engine
import EventLoop
import Personal
import SearchModel

/// A search whose answer is kept ready: notes at little cost that a user has made it again.
///
/// `@unchecked Sendable` so that ready answers may hold it: confined to the loop.
final class RepeatedSearch: @unchecked Sendable {
    private unowned let data: PersonalData
    private let query: SearchQuery
    private let sources: [SourceName]
    private let hits: [HitPosition]
    /// Whether it goes on in a list that another search has begun.
    private let isNextPage: Bool
    /// Who made it last; as long as that search stands, it is the same.
    private var userID: UInt32
    /// That user's, so that nothing needs to be looked up meanwhile.
    private var history: UserHistory?
    private var standsUntil: Instant
    private var edition: UInt64

    init(_ request: SearchRequest, _ hits: [HitPosition], of data: PersonalData) {
        (query, isNextPage, self.hits, self.data) = (request.query, request.isNextPage, hits, data)
        sources = request.sources.map(\.name)
        (userID, history, standsUntil, edition) = (0, nil, Instant(nanoseconds: .min), 0)
    }

    /// What it holds on to beside pages, which the cache counts.
    var bytes: Int { 256 + hits.count * MemoryLayout<HitPosition>.stride }

    /// The answer was given again.
    func given(to userID: UInt32, on connection: UInt64, at now: Instant) {
        if self.userID == userID, now < standsUntil, edition == history?.edition { return }
        guard let history = data.history(ofKnown: userID) else { return }
        history.brought(hits, by: query)
        if isNextPage { history.followed(query) }
        let until =
            isNextPage
            ? now.advanced(by: StandingSearches.standing)
            : history.searched(query, sources, from: StandingSearches.Origin(connection: connection))
        guard let until else { return }
        (self.userID, self.history, standsUntil, edition) = (userID, history, until, history.edition)
    }
}
