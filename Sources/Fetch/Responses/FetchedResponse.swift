package import HTTPMessage

/// A complete response, whatever its status, and what it cost.
package struct FetchedResponse: Equatable, Sendable {
    package let response: HTTPResponse
    package let metrics: FetchMetrics
    /// What the body takes of the client's budget, for as long as this is kept.
    private let share: BodyShare?

    package init(response: HTTPResponse, metrics: FetchMetrics) {
        self.init(response: response, metrics: metrics, share: nil)
    }

    init(response: HTTPResponse, metrics: FetchMetrics, share: BodyShare?) {
        self.response = response
        self.metrics = metrics
        self.share = share
    }

    package static func == (left: FetchedResponse, right: FetchedResponse) -> Bool {
        left.response == right.response && left.metrics == right.metrics
    }
}

/// What one exchange cost; durations run from the call of `fetch`.
package struct FetchMetrics: Equatable, Sendable {
    package enum Version: Equatable, Sendable {
        case http10
        case http11
        case http2
        case other
    }

    /// Until it was started.
    package var untilStarted: Duration
    package var untilEnd: Duration
    /// Of the last hop: heads and body as they came, before decoding but after TLS.
    package var bytesReceived: Int
    package var bodyBytesDecoded: Int
    package var version: Version
    /// Whether the last hop went over a connection that stood before.
    package var reusedConnection: Bool
    package var redirects: Int
}
