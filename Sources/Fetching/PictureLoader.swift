package import EventLoop
package import HTTP
import JSON
package import RPC
package import SearchModel
package import Upstream

/// Fetches pictures, or gets them from the cache.
package struct PictureLoader: Sendable {
    /// Includes the time in the queue.
    private static let waitMax = Duration.seconds(20)
    private static let fetchTimeoutMax = Duration.seconds(12)
    private static let accepted = PictureFormat.allCases.map(\.rawValue).joined(separator: ", ")

    package let files: FileLoader<PictureKey>
    private let client: HTTPClient

    package init(on loop: EventLoop, cacheBytes: Int, client: HTTPClient) {
        files = FileLoader(on: loop, .picture, bytesMax: cacheBytes)
        self.client = client
    }

    package func picture(
        _ key: PictureKey,
        for client: ClientIdentity
    ) async throws(SearchError) -> (value: FetchedFile, use: CacheUse) {
        try await files.file(
            key,
            for: CallDemand.Caller(client: client),
            timeout: Self.waitMax
        ) { demand, report throws(SearchError) in
            try await files.inTurn(demand, report) { () throws(SearchError) in
                try await fetch(key) { report(.sent) }
            }
        }
    }

    private func fetch(
        _ key: PictureKey,
        willSend: @escaping @Sendable () -> Void
    ) async throws(SearchError) -> FetchedFile {
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
        return await FetchedFile(fetched, url: url.text, type: format.rawValue, on: files.loop)
    }
}
