package struct FetchedResponse: Equatable, Sendable {
    package let response: HTTPResponse
    package let metrics: FetchMetrics
    package let location: String?
    /// The part of the `BodyBudget` that the body uses.
    ///
    /// It is released with this value.
    private let share: BodyShare?

    package init(response: HTTPResponse, metrics: FetchMetrics) {
        self.init(response: response, metrics: metrics, location: nil, share: nil)
    }

    init(response: HTTPResponse, metrics: FetchMetrics, location: String?, share: BodyShare?) {
        self.response = response
        self.metrics = metrics
        self.location = location
        self.share = share
    }

    package static func == (left: FetchedResponse, right: FetchedResponse) -> Bool {
        left.response == right.response && left.metrics == right.metrics
    }
}

package struct FetchMetrics: Equatable, Sendable {
    package var elapsed: Duration
    /// The size of the last body and of all heads, also those of redirects; decrypted but not decompressed.
    package var bytesReceived: Int
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

/// Collects the parts of a response that libcurl passes, and enforces the size limits.
struct ResponseBuffer {
    enum Refusal: Equatable {
        case headTooLarge
        case bodyTooLarge
    }

    static let headBytesMax = 64 * 1024

    private let bodyBytesMax: Int
    private var headBytes = 0
    /// Needed because libcurl reports success even if a response ends inside its head.
    private(set) var isHeadComplete = false
    private(set) var body: [UInt8] = []

    init(bodyBytesMax: Int) {
        self.bodyBytesMax = bodyBytesMax
    }

    mutating func received(headLine line: Span<UInt8>) -> Refusal? {
        headBytes += line.count
        if line.count <= 2 { isHeadComplete = true }
        if line.count > 4, line[0] == UInt8(ascii: "H"), line[4] == UInt8(ascii: "/") { isHeadComplete = false }
        return headBytes > Self.headBytesMax ? .headTooLarge : nil
    }

    mutating func received(body piece: Span<UInt8>) -> Refusal? {
        guard body.count + piece.count <= bodyBytesMax else { return .bodyTooLarge }
        // The buffer is valid during the closure, and append copies it.
        unsafe piece.withUnsafeBufferPointer { unsafe body.append(contentsOf: $0) }
        return nil
    }

    func response(status: Int, _ fields: HTTPFields) -> HTTPResponse? {
        let lengths = fields.fields.filter { $0.name.lowercased() == "content-length" }.map(\.value)
        guard Set(lengths).count < 2 else { return nil }
        var fields = fields
        if fields["Content-Encoding"] != nil {
            // These fields describe the encoded body, but libcurl has decoded it.
            fields["Content-Encoding"] = nil
            fields["Content-Length"] = nil
        }
        return HTTPResponse(status: status, fields: fields, body: body)
    }
}
