/// A response and the way to send it, which can be a simulated fault.
package struct HTTPAnswer: Equatable, Sendable {
    package enum Manner: Equatable, Sendable {
        case whole
        case hang
        /// Stops after this many bytes of the body. The connection stays open.
        case stall(after: Int)
        case cut(after: Int)
        case refuse
        case drip(bytes: Int, pause: Duration)
        /// Sends a Content-Length that can be wrong.
        case claim(length: Int)
    }

    package var response: HTTPResponse
    package var delay = Duration.zero
    package var manner = Manner.whole

    package init(_ response: HTTPResponse) {
        self.response = response
    }
}

package protocol HTTPHandler: Sendable {
    /// `instant` is in nanoseconds since 1970.
    mutating func respond(to request: HTTPRequest, at instant: Int64) -> HTTPAnswer
}

enum DeliveryStep: Equatable, Sendable {
    case wait(Duration)
    case send([UInt8])
    case close
    case hang

    static func steps(_ answer: HTTPAnswer, isHead: Bool, keepsAlive: Bool) -> [DeliveryStep] {
        let response = answer.response
        let body = isHead ? [] : response.body
        let whole = head(of: response, length: response.body.count, keepsAlive: keepsAlive)
        let end: [DeliveryStep] = keepsAlive ? [] : [.close]
        let steps: [DeliveryStep] =
            switch answer.manner {
            case .whole: [.send(whole + body)] + end
            case .hang: [.hang]
            case .refuse: [.close]
            case .stall(let count): [.send(whole + body.prefix(count)), .hang]
            case .cut(let count): [.send(whole + body.prefix(count)), .close]
            case .claim(let length): [.send(head(of: response, length: length, keepsAlive: false) + body), .close]
            case .drip(let size, let pause):
                [.send(whole)]
                    + stride(from: 0, to: body.count, by: max(1, size)).flatMap { start in
                        [.wait(pause), .send(Array(body[start..<min(start + max(1, size), body.count)]))]
                    } + end
            }
        return answer.delay > .zero ? [.wait(answer.delay)] + steps : steps
    }

    static func head(of response: HTTPResponse, length: Int, keepsAlive: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(response.status) \(reasons[response.status] ?? "Status")\r\n"
        for field in response.fields.fields {
            text += "\(field.name): \(field.value)\r\n"
        }
        text += "Content-Length: \(length)\r\nConnection: \(keepsAlive ? "keep-alive" : "close")\r\n\r\n"
        return Array(text.utf8)
    }

    private static let reasons = [
        200: "OK", 204: "No Content", 301: "Moved Permanently", 302: "Found", 400: "Bad Request", 401: "Unauthorized",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 413: "Content Too Large",
        422: "Unprocessable Entity", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}

extension HTTPResponse {
    package static func of(_ status: Int, _ type: String, _ body: [UInt8], _ more: [(String, String)] = [])
        -> HTTPResponse
    {
        HTTPResponse(status: status, fields: HTTPFields([("Content-Type", type)] + more), body: body)
    }
}
