import EventLoop
package import HTTP
import JSON
import RPC
import SearchModel

/// Fetches a picture within what its key allows; nothing of it is decoded.
package struct PictureFetcher: Sendable {
    /// A picture waits on a screen: it is worth less time than an answer.
    private static let wholeMax = Duration.seconds(12)
    /// What is written as text in a few hundred microseconds, and so while everyone else waits.
    private static let bytesOnLoopMax = 64 << 10
    private static let accepted = PictureFormat.allCases.map(\.rawValue).joined(separator: ", ")

    private let client: HTTPClient

    package init(_ client: HTTPClient) {
        self.client = client
    }

    /// Fetches a picture; on the loop.
    ///
    /// - Parameters:
    ///   - key: The picture.
    ///   - memory: Counts it.
    ///   - willSend: Called once, when the request is about to be written.
    /// - Returns: The picture.
    /// - Throws: `forbidden` where it leads elsewhere than it may, `badResponse` for what is no picture or too large,
    ///   else why its server did not answer.
    func fetch(
        _ key: PictureKey,
        countedIn memory: PageMemory,
        willSend: @escaping @Sendable () -> Void
    ) async throws(SearchError) -> Picture {
        guard let url = try? FetchURL(escaping: key.address.text) else { throw .noPictureAddress }
        let hops = Locked(PictureHops(to: url, key.reach))
        let fetched: FetchedResponse
        do throws(FetchError) {
            fetched = try await client.fetch(Self.request(url, hops, willSend))
        } catch {
            throw SearchError(ofPicture: error, wasLedAway: hops.withLock(\.hasRefused))
        }
        let body = fetched.response.body
        guard fetched.response.status == 200 else { throw .pictureStatus(fetched.response.status) }
        guard let format = PictureFormat(beginningOf: body) else { throw .noPicture }
        let text = body.count <= Self.bytesOnLoopMax ? Base64.text(of: body) : await Self.text(of: body)
        // While it waited to be written, the body counted among those that are held.
        withExtendedLifetime(fetched) {}
        return Picture(format, text: text, byteCount: body.count, fetchedAt: client.loop.now, memory: memory)
    }

    private static func request(
        _ url: FetchURL,
        _ hops: Locked<PictureHops>,
        _ willSend: @escaping @Sendable () -> Void
    ) -> FetchRequest {
        let fields = HTTPFields([("Accept", accepted)])
        var request = FetchRequest(HTTPRequest(url: url.text, fields: fields))
        request.timeouts.whole = wholeMax
        request.responseBytesMax = WireBounds.pictureBytesMax
        request.redirects = .follow(upTo: PictureHops.redirectsMax) { origin in
            hops.withLock { $0.mayFollow(to: origin) }
        }
        request.addresses = AddressPolicy { address in hops.withLock { $0.mayReach(address) } }
        request.willSend = willSend
        return request
    }

    /// Away from the loop, which it would hold up for milliseconds.
    private static func text(of body: [UInt8]) async -> [UInt8] {
        // A detached task: this one prefers the loop, and so would all that it calls.
        await Task.detached { Base64.text(of: body) }.value
    }
}
