package import EventLoop
package import HTTP
import JSON
package import RPC
package import SearchModel
package import Upstream

/// Gets a picture from the cache or a fetch in flight, or else fetches it; used only on the loop.
package struct PictureLoader: Sendable {
    /// With 2 MiB each, concurrent fetches use at most half of the memory for response bodies.
    package static let fetchesMax = 8
    package static let flightsMax = 1024
    /// How long a caller waits at most, including the time in the queue.
    private static let waitMax = Duration.seconds(20)
    /// The timeout is shorter than that of a search, because a picture is less important.
    private static let fetchTimeoutMax = Duration.seconds(12)
    private static let accepted = PictureFormat.allCases.map(\.rawValue).joined(separator: ", ")

    private let loop: EventLoop
    private let cache: ResultCache
    private let client: HTTPClient
    private let inFlight: InFlight<PictureKey, Picture>
    private let throttle: RequestThrottle

    package init(on loop: EventLoop, cache: ResultCache, client: HTTPClient) {
        (self.loop, self.cache, self.client) = (loop, cache, client)
        inFlight = InFlight(on: loop, flightsMax: Self.flightsMax)
        let waitingMax = Self.flightsMax - 2 * Self.fetchesMax
        throttle = RequestThrottle(on: loop, waitingMax: waitingMax) { _ in (Self.fetchesMax, .max) }
    }

    package var flightCount: Int { inFlight.onLoop { $0.flightCount } }

    package func cached(_ key: PictureKey) -> Picture? {
        cache.onLoop { $0.picture(key) }
    }

    /// Gets the picture from the cache or the network; the queue is fair between users, and between programs of a user.
    package func picture(
        _ key: PictureKey,
        for client: ClientIdentity
    ) async throws(SearchError) -> (value: Picture, use: CacheUse) {
        if let picture = cached(key) { return (picture, .hit) }
        return try await inFlight.fetch(
            key,
            refresh: false,
            for: CallDemand.Caller(client: client),
            until: loop.now.advanced(by: Self.waitMax),
            late: FetchedThing.picture.tooLate
        ) { demand, report throws(SearchError) in
            try await fetched(key, demand, report)
        }
    }

    private func fetched(
        _ key: PictureKey,
        _ demand: CallDemand,
        _ report: @escaping CallReport
    ) async throws(SearchError) -> Picture {
        let turn = try await throttle.enter(.pictures, for: demand, report: report)
        defer { throttle.onLoop { $0.leave(turn) } }
        throttle.onLoop { $0.admitted(turn) }
        let picture = try await fetch(key) { report(.sent) }
        cache.onLoop { $0.insert(picture, under: key) }
        return picture
    }

    /// Fetches a picture; calls `willSend` just before the request is written.
    ///
    /// Throws `forbidden` for a redirect without https, `badResponse` if the body is too large or not a picture, or
    /// else the server's error.
    private func fetch(
        _ key: PictureKey,
        willSend: @escaping @Sendable () -> Void
    ) async throws(SearchError) -> Picture {
        guard let url = try? FetchURL(escaping: key.address.text) else { throw FetchedThing.picture.noAddress }
        let hops = Locked(PictureHops(to: url, key.reach))
        var request = FetchRequest(HTTPRequest(url: url.text, fields: HTTPFields([("Accept", Self.accepted)])))
        request.timeouts.whole = Self.fetchTimeoutMax
        request.responseBytesMax = WireBounds.pictureBytesMax
        request.redirects = .follow(upTo: PictureHops.redirectsMax) { origin in
            hops.withLock { $0.mayFollow(to: origin) }
        }
        request.addresses = AddressPolicy { address in hops.withLock { $0.mayReach(address) } }
        request.willSend = willSend
        let fetched: FetchedResponse
        do throws(FetchError) {
            fetched = try await client.fetch(request)
        } catch {
            guard error.code == .redirect, hops.withLock(\.hasRefused) else { throw FetchedThing.picture.error(error) }
            throw FetchedThing.picture.forbidden("The picture's server redirects to an address without https.")
        }
        let body = fetched.response.body
        guard fetched.response.status == 200 else { throw FetchedThing.picture.status(fetched.response.status) }
        guard let format = PictureFormat(beginningOf: body) else {
            throw FetchedThing.picture.bad("The response is not a PNG, JPEG, GIF, WebP or AVIF picture.")
        }
        let text = await fetched.base64
        return Picture(format, text: text, byteCount: body.count, fetchedAt: loop.now)
    }

    package func cancelAll() async {
        await inFlight.cancelAll()
    }
}
