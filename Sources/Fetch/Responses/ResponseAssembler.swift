import HTTPMessage

/// Puts a response together from the lines and pieces that libcurl hands over, within limits.
///
/// Pure. Lines of interim responses (1xx) are dropped when the next head begins, and trailers are ignored; all of them
/// count.
struct ResponseAssembler {
    enum Refusal: Equatable {
        case headTooLarge
        case bodyTooLarge
        case malformed(String)
    }

    /// All lines of all heads and trailers together.
    static let headBytesMax = 64 * 1024
    static let headLinesMax = 256
    /// How much room is made for a body on the word of Content-Length alone.
    static let reservedBytesMax = 256 * 1024

    private let bodyBytesMax: Int
    private let hasBody: Bool
    private var headBytes = 0
    private var headLines = 0
    /// Whether the final head has come to its end; libcurl calls a response that breaks off before that whole.
    private(set) var isHeadComplete = false
    private var contentLength: Int?
    private(set) var status = 0
    private var fields = HTTPFields()
    private var body: [UInt8] = []

    /// A response to HEAD has no body, whatever length it speaks of.
    init(bodyBytesMax: Int, isAnswerToHead: Bool) {
        self.bodyBytesMax = bodyBytesMax
        hasBody = !isAnswerToHead
    }

    var bodyBytes: Int { body.count }

    /// One line of a head with its end of line; nil when all is well.
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
        case .malformed: return .malformed(status == 0 ? "no proper status line" : "a header line that is no field")
        }
    }

    /// A piece of the body, decoded; nil when all is well.
    mutating func received(body piece: Span<UInt8>) -> Refusal? {
        guard body.count + piece.count <= bodyBytesMax else { return .bodyTooLarge }
        // The buffer is valid for the closure, and append copies it.
        unsafe piece.withUnsafeBufferPointer { unsafe body.append(contentsOf: $0) }
        return nil
    }

    /// What has come, after the last byte of it has.
    consuming func response() -> HTTPResponse {
        if fields["Content-Encoding"] != nil {
            // They describe what was on the wire; the body is decoded by now.
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
        guard status != 0 else { return .malformed("no proper status line") }
        fields.append(name, value)
        guard name.utf8.count == "content-length".utf8.count, name.lowercased() == "content-length" else { return nil }
        guard let length = Int(value), length >= 0, length == contentLength ?? length else {
            return .malformed("contradictory or impossible lengths")
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
