package import EventLoop
package import RPC
package import SearchModel
package import Upstream

/// Gets a picture in the cheapest way: from the cache, by joining a fetch under way, or with a new one in its turn.
///
/// To be used on the loop, where all its parts live.
package struct PictureLoader: Sendable {
    /// So many are fetched at a time: with 2 MiB each, half of what bodies of all responses may take.
    package static let fetchesMax = 8
    package static let flightsMax = 1024
    /// How long a caller waits at most, its turn included.
    static let waitMax = Duration.seconds(20)

    private let loop: EventLoop
    private let cache: ResultCache
    private let fetcher: PictureFetcher
    private let inFlight: InFlight<PictureKey, Picture>
    private let throttle: RequestThrottle

    package init(on loop: EventLoop, cache: ResultCache, fetcher: PictureFetcher) {
        (self.loop, self.cache, self.fetcher) = (loop, cache, fetcher)
        inFlight = InFlight(on: loop, flightsMax: Self.flightsMax)
        var bounds = RequestThrottle.Bounds()
        bounds.waitingMax = Self.flightsMax - 2 * Self.fetchesMax
        throttle = RequestThrottle(on: loop, bounds: bounds) { _ in RequestThrottle.Slots(source: Self.fetchesMax) }
    }

    /// How many are being fetched, or wait for their turn.
    package var flightCount: Int { inFlight.onLoop { $0.flightCount } }

    /// The picture when it is in memory.
    package func cached(_ key: PictureKey) -> Picture? {
        cache.onLoop { $0.picture(key) }
    }

    /// The picture, from wherever it must come.
    ///
    /// - Parameters:
    ///   - key: The picture.
    ///   - client: On whose behalf; users and their programs get their turns fairly.
    /// - Returns: The picture, and how it was got.
    /// - Throws: Why there is none, the same for everyone who waited for the same fetch.
    package func picture(
        _ key: PictureKey,
        for client: ClientIdentity
    ) async throws(SearchError) -> (picture: Picture, use: CacheUse) {
        if let picture = cached(key) { return (picture, .hit) }
        let shared = await inFlight.value(
            for: key,
            refresh: false,
            caller: CallDemand.Caller(client: client),
            deadline: .init(instant: loop.now.advanced(by: Self.waitMax), error: .pictureTooLate)
        ) { demand, report in
            do throws(SearchError) {
                return .success(try await fetched(key, demand, report))
            } catch {
                var plain = error
                plain.source = nil
                return .failure(plain)
            }
        }
        return (try shared.outcome.get(), shared.joined ? .joined : .miss)
    }

    private func fetched(
        _ key: PictureKey,
        _ demand: CallDemand,
        _ report: @escaping CallReport
    ) async throws(SearchError) -> Picture {
        let turn = try await throttle.enter(.pictures, for: demand, report: report)
        // Fetches begin on the loop, where the throttle lives.
        defer { throttle.onLoop { $0.leave(turn) } }
        throttle.onLoop { $0.passed(turn) }
        let picture = try await fetcher.fetch(key, countedIn: cache.memory) { report(.sent) }
        cache.onLoop { $0.insert(picture, under: key) }
        return picture
    }

    /// Ends what is under way, for the end of the daemon.
    package func cancelAll() async {
        await inFlight.cancelAll()
    }
}
