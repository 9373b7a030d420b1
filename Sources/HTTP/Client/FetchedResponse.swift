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

/// What one exchange cost.
package struct FetchMetrics: Equatable, Sendable {
    /// From the call of `fetch` until its end.
    package var elapsed: Duration
    /// Of the last hop: heads and body as they came, before decoding but after TLS.
    package var bytesReceived: Int
    /// Whether the last hop went over a connection that was open before.
    package var reusedConnection: Bool
    package var isHTTP2: Bool

    package init(
        elapsed: Duration = .zero,
        bytesReceived: Int = 0,
        reusedConnection: Bool = false,
        isHTTP2: Bool = false
    ) {
        self.elapsed = elapsed
        self.bytesReceived = bytesReceived
        self.reusedConnection = reusedConnection
        self.isHTTP2 = isHTTP2
    }
}

/// Gathers what libcurl hands over of a response, within limits; pure.
struct ResponseBuffer {
    enum Refusal: Equatable {
        case headTooLarge
        case bodyTooLarge
    }

    /// All lines of all heads and trailers together.
    static let headBytesMax = 64 * 1024

    private let bodyBytesMax: Int
    private var headBytes = 0
    /// Whether the last head has come to its end; libcurl calls a response that breaks off before that whole.
    private(set) var isHeadComplete = false
    private(set) var body: [UInt8] = []

    init(bodyBytesMax: Int) {
        self.bodyBytesMax = bodyBytesMax
    }

    /// One line of a head with its end of line; nil when it is within the limit.
    mutating func received(headLine line: Span<UInt8>) -> Refusal? {
        headBytes += line.count
        if line.count <= 2 { isHeadComplete = true }
        // Another head follows that of an interim response.
        if line.count > 4, line[0] == UInt8(ascii: "H"), line[4] == UInt8(ascii: "/") { isHeadComplete = false }
        return headBytes > Self.headBytesMax ? .headTooLarge : nil
    }

    /// A piece of the body, decoded; nil when it is within the limit.
    mutating func received(body piece: Span<UInt8>) -> Refusal? {
        guard body.count + piece.count <= bodyBytesMax else { return .bodyTooLarge }
        // The buffer is valid for the closure, and append copies it.
        unsafe piece.withUnsafeBufferPointer { unsafe body.append(contentsOf: $0) }
        return nil
    }

    /// The response, after the last byte of it has come; nil when its fields contradict each other.
    func response(status: Int, _ fields: HTTPFields) -> HTTPResponse? {
        let lengths = fields.fields.filter { $0.name.lowercased() == "content-length" }.map(\.value)
        guard Set(lengths).count < 2 else { return nil }
        var fields = fields
        if fields["Content-Encoding"] != nil {
            // They describe what was on the wire; the body is decoded by now.
            fields["Content-Encoding"] = nil
            fields["Content-Length"] = nil
        }
        return HTTPResponse(status: status, fields: fields, body: body)
    }
}
