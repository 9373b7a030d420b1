package import Fetch
package import HTTPMessage

/// Sends a source's request: the seam between building a request and the network.
///
/// A decorator may change what is sent, each time anew: sign it, or add a token that expires.
package protocol RequestSender: Sendable {
    /// Sends a request and waits for the response.
    ///
    /// - Parameters:
    ///   - request: As the source's file describes it.
    ///   - source: Whose it is.
    ///   - willSend: To be called once, on the loop, when the request is about to be written.
    /// - Returns: The response, whatever its status.
    /// - Throws: When there is none.
    func send(
        _ request: HTTPRequest,
        to source: ConfiguredSource,
        willSend: @escaping @Sendable () -> Void
    ) async throws(FetchError) -> FetchedResponse
}

/// Sends requests with an HTTP client, within what each source may reach.
package struct NetworkSender: RequestSender {
    private let client: HTTPClient

    package init(_ client: HTTPClient) {
        self.client = client
    }

    package func send(
        _ request: HTTPRequest,
        to source: ConfiguredSource,
        willSend: @escaping @Sendable () -> Void
    ) async throws(FetchError) -> FetchedResponse {
        try await client.fetch(source.fetchRequest(request, willSend: willSend))
    }
}
