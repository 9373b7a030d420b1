/// A complete response with any status, and its measurements.
package struct FetchedResponse: Equatable, Sendable {
    package let response: HTTPResponse
    package let metrics: FetchMetrics
    /// The body's share of the client's budget, released with this value.
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

/// The measurements of one exchange; durations are from the call of `fetch`.
package struct FetchMetrics: Equatable, Sendable {
    package enum Version: Equatable, Sendable {
        case http10
        case http11
        case http2
        case other
    }

    /// The time until it was started.
    package var untilStarted: Duration
    package var untilEnd: Duration
    /// The received bytes of the last hop: heads and body, after TLS and before decoding.
    package var bytesReceived: Int
    package var bodyBytesDecoded: Int
    package var version: Version
    /// Whether the last hop reused a connection.
    package var reusedConnection: Bool
    package var redirects: Int
}

/// Assembles a response from the lines and pieces that libcurl passes, within limits.
///
/// Pure. Drops interim responses (1xx) and trailers, but counts their bytes.
struct ResponseAssembler {
    enum Refusal: Equatable {
        case headTooLarge
        case bodyTooLarge
        case malformed(String)
    }

    /// The total size of the lines of all heads and trailers.
    static let headBytesMax = 64 * 1024
    static let headLinesMax = 256
    /// The maximum memory that is reserved by Content-Length alone.
    static let reservedBytesMax = 256 * 1024

    private let bodyBytesMax: Int
    private let hasBody: Bool
    private var headBytes = 0
    private var headLines = 0
    /// Whether the final head is complete; libcurl reports a response that ends earlier as complete.
    private(set) var isHeadComplete = false
    private var contentLength: Int?
    private(set) var status = 0
    private var fields = HTTPFields()
    private var body: [UInt8] = []

    /// A response to HEAD has no body, whatever its Content-Length is.
    init(bodyBytesMax: Int, isAnswerToHead: Bool) {
        self.bodyBytesMax = bodyBytesMax
        hasBody = !isAnswerToHead
    }

    var bodyBytes: Int { body.count }

    /// Adds one line of a head, with its line end; returns an error or nil.
    mutating func received(headLine line: Span<UInt8>) -> Refusal? {
        headBytes += line.count
        headLines += 1
        guard headBytes <= Self.headBytesMax, headLines <= Self.headLinesMax else { return .headTooLarge }
        guard !isHeadComplete else { return nil }
        switch HeadLine(line) {
        case .blank: return headEnded()
        case .status(let status):
            begin(status)
            return nil
        case .field(let name, let value): return field(name, value)
        case .malformed: return .malformed(status == 0 ? "an invalid status line" : "an invalid header line")
        }
    }

    /// Adds a decoded piece of the body; returns an error or nil.
    mutating func received(body piece: Span<UInt8>) -> Refusal? {
        guard body.count + piece.count <= bodyBytesMax else { return .bodyTooLarge }
        // The buffer is valid during the closure, and append copies it.
        unsafe piece.withUnsafeBufferPointer { unsafe body.append(contentsOf: $0) }
        return nil
    }

    /// The response, after its last byte.
    consuming func response() -> HTTPResponse {
        if fields["Content-Encoding"] != nil {
            // These fields describe the encoded body, but the body is already decoded.
            fields["Content-Encoding"] = nil
            fields["Content-Length"] = nil
        }
        return HTTPResponse(status: status, fields: fields, body: body)
    }

    private mutating func begin(_ status: Int) {
        self.status = status
        fields = HTTPFields()
        contentLength = nil
    }

    private mutating func field(_ name: String, _ value: String) -> Refusal? {
        guard status != 0 else { return .malformed("an invalid status line") }
        fields.append(name, value)
        guard name.utf8.count == "content-length".utf8.count, name.lowercased() == "content-length" else { return nil }
        guard let length = Int(value), length >= 0, length == contentLength ?? length else {
            return .malformed("contradictory or invalid lengths")
        }
        contentLength = length
        return nil
    }

    private mutating func headEnded() -> Refusal? {
        guard status >= 200 else { return nil }
        isHeadComplete = true
        guard hasBody, status != 304, let contentLength else { return nil }
        guard contentLength <= bodyBytesMax else { return .bodyTooLarge }
        body.reserveCapacity(min(contentLength, Self.reservedBytesMax))
        return nil
    }
}

/// A line of a response head.
enum HeadLine: Equatable {
    /// The end of a head.
    case blank
    case status(Int)
    case field(name: String, value: String)
    case malformed

    /// Parses a line with or without its line end; repairs bytes in the value that are not valid UTF-8.
    init(_ line: Span<UInt8>) {
        // The buffer is copied during the call.
        let bytes = unsafe line.withUnsafeBufferPointer { unsafe Array($0) }
        let text = bytes[...].trimmed { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        if text.isEmpty {
            self = .blank
        } else if text.starts(with: "HTTP/".utf8) {
            self = Self.status(of: text).map(HeadLine.status) ?? .malformed
        } else {
            self = Self.field(of: text) ?? .malformed
        }
    }

    /// Parses the status of `HTTP/1.1 200 OK` or `HTTP/2 200`: three digits between blanks.
    private static func status(of line: ArraySlice<UInt8>) -> Int? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count > 1, words[1].count == 3, words[1].allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(String(decoding: words[1], as: UTF8.self)).flatMap { $0 >= 100 ? $0 : nil }
    }

    /// Parses a name, a colon and a value; a line that begins with a blank (obsolete folding) is not a field.
    private static func field(of line: ArraySlice<UInt8>) -> HeadLine? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
        let name = line[..<colon]
        guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let value = line[(colon + 1)...].trimmed { $0 == 0x20 || $0 == UInt8(ascii: "\t") }
        return .field(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func trimmed(_ isBlank: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let rest = drop(while: isBlank)
        return rest[..<((rest.lastIndex { !isBlank($0) } ?? rest.startIndex - 1) + 1)]
    }
}
