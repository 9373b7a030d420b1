import Catalogue
import EventLoop
package import HTTP

/// Sends requests with an HTTP client, restricted to the hosts that each source may reach.
///
/// While this machine is offline, all calls to sources on the Internet fail with `offline`.
package struct NetworkSender: Sendable {
    /// How long to remember that this machine is offline; checking again may take a second and a half.
    static let offlineKnownFor = Duration.seconds(1)

    private let client: HTTPClient
    private let reachability: Reachability
    private let offlineUntil = Locked<Instant?>(nil)

    package init(_ client: HTTPClient, reachability: Reachability = .ofThisMachine) {
        self.client = client
        self.reachability = reachability
    }

    /// Sends a source's request; `willSend` is called once, on the loop, when the request is about to be written.
    package func send(
        _ request: HTTPRequest,
        to source: UpstreamSource,
        willSend: @escaping @Sendable () -> Void
    ) async throws(FetchError) -> FetchedResponse {
        guard source.isOnInternet else {
            return try await client.fetch(source.fetchRequest(request, willSend: willSend))
        }
        if let until = offlineUntil.withLock({ $0 }), client.loop.now < until { throw .offline }
        do throws(FetchError) {
            return try await client.fetch(source.fetchRequest(request, willSend: willSend))
        } catch {
            guard !error.wasSent, await reachability.isOffline(after: error, host: WebAddress(request.url)?.host ?? "")
            else { throw error }
            offlineUntil.withLock { $0 = client.loop.now.advanced(by: Self.offlineKnownFor) }
            throw .offline
        }
    }
}
