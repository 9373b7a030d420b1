/// A response with a complete or a streamed body.
struct WebResponse: Sendable {
    /// Must be called on the server's loop.
    ///
    /// A client that is too slow is disconnected.
    typealias Send = @Sendable ([UInt8]) -> Void

    enum Body: Sendable {
        case bytes([UInt8])
        /// The task is cancelled if the client disconnects.
        case stream(@Sendable (@escaping Send) async -> Void)
    }

    var status: Int
    var type: String
    var body: Body
    /// The values must not contain line breaks.
    var fields: [(name: String, value: String)] = []
    var cacheControl = "no-store"

    init(_ status: Int = 200, _ type: String, _ body: [UInt8]) {
        (self.status, self.type, self.body) = (status, type, .bytes(body))
    }

    init(streaming type: String, _ body: @escaping @Sendable (@escaping Send) async -> Void) {
        (status, self.type, self.body) = (200, type, .stream(body))
    }

    static func text(_ status: Int, _ text: String) -> WebResponse {
        WebResponse(status, "text/plain; charset=utf-8", Array("\(text)\n".utf8))
    }

    static func redirect(to path: String) -> WebResponse {
        var response = text(303, "See \(path)")
        response.fields.append(("Location", path))
        return response
    }

    func head(length: Int?, isCurrent: Bool, keepsAlive: Bool) -> [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(1024 + (length ?? 0))
        head += "HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status")\r\nContent-Type: \(type)\r\n".utf8
        head += "Cache-Control: \(cacheControl)\r\n".utf8
        head += Self.protection
        for field in fields { head += "\(field.name): \(field.value)\r\n".utf8 }
        if let length {
            head += "Content-Length: \(length)\r\n".utf8
        } else if isCurrent {
            head += "Transfer-Encoding: chunked\r\n".utf8
        }
        head += (keepsAlive ? "\r\n" : "Connection: close\r\n\r\n").utf8
        return head
    }

    private static let protection = [
        "Content-Security-Policy: default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
            + "frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY", "Referrer-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
    ].flatMap { Array("\($0)\r\n".utf8) }

    private static let reasons = [
        200: "OK", 303: "See Other", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        408: "Request Timeout", 413: "Content Too Large", 421: "Misdirected Request", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
