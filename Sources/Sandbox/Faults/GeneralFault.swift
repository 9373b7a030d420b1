import HTTP
import JSON

/// A fault that any source can have, whatever its own error table says.
enum GeneralFault: String, CaseIterable, Sendable {
    /// Waits `milliseconds` (1,000) before it answers.
    case delay
    /// Never answers.
    case hang
    /// Sends the head and half of the body, or `bytes` of it, and stops there.
    case stall
    /// As `stall`, but closes the connection.
    case cut
    /// Closes the connection instead of answering.
    case refuse
    /// Sends `bytes` (64) at a time, every `milliseconds` (50).
    case drip
    /// Claims `bytes` (100) more than it sends.
    case longLength
    /// Claims half of what it sends.
    case shortLength
    /// Breaks off inside the JSON, with a length that fits.
    case malformedJSON
    /// A page for people, with status 200.
    case html
    /// A redirect to `location`, or to the same answer under another URL.
    case redirect
    /// A redirect to a URL that redirects to itself.
    case redirectLoop
    /// Status 200 and nothing.
    case emptyBody
    /// `bytes` (32 MiB) of JSON that has begun well.
    case hugeBody
    /// The body and zeros, together `bytes` (32 MiB): a picture is still one.
    case padded
    /// `status` (500) with a short text.
    case status
    /// `status` (400) and the request repeated, keys and all.
    case echo
    /// The same, but percent-encoded and in base64.
    case echoEncoded

    func apply(_ rule: FaultRule, to answer: inout HTTPAnswer, request: HTTPRequest, base: String) {
        let body = answer.response.body
        let milliseconds = Duration.milliseconds(rule.milliseconds ?? (self == .drip ? 50 : 1_000))
        switch self {
        case .delay: answer.delay = milliseconds
        case .hang: answer.manner = .hang
        case .stall: answer.manner = .stall(after: rule.bytes ?? body.count / 2)
        case .cut: answer.manner = .cut(after: rule.bytes ?? body.count / 2)
        case .refuse: answer.manner = .refuse
        case .drip: answer.manner = .drip(bytes: rule.bytes ?? 64, pause: milliseconds)
        case .longLength: answer.manner = .claim(length: body.count + (rule.bytes ?? 100))
        case .shortLength: answer.manner = .claim(length: body.count / 2)
        case .malformedJSON: answer.response.body = body.prefix(body.count * 2 / 3) + Array(",,]".utf8)
        case .html: answer.response = .of(200, "text/html;charset=utf-8", Array(Self.page.utf8))
        case .redirect: answer.response = Self.redirect(to: rule.location ?? "\(base)/_sandbox/moved\(request.url)")
        case .redirectLoop: answer.response = Self.redirect(to: "\(base)/_sandbox/loop")
        case .emptyBody: answer.response.body = []
        case .hugeBody: answer.response.body = Self.huge(rule.bytes ?? 32 << 20)
        case .padded:
            answer.response.body += [UInt8](repeating: 0, count: max(0, (rule.bytes ?? 32 << 20) - body.count))
        case .status:
            answer.response = .of(rule.status ?? 500, "text/plain", Array("the mock server was told to fail\n".utf8))
        case .echo, .echoEncoded:
            answer.response = Echo.response(
                to: request,
                status: rule.status ?? 400,
                isEncoded: self == .echoEncoded
            )
        }
    }

    static func redirect(to location: String) -> HTTPResponse {
        HTTPResponse(status: 302, fields: HTTPFields([("Location", location)]))
    }

    private static func huge(_ count: Int) -> [UInt8] {
        let start = Array("{\"documents\":[\"".utf8)
        return start + [UInt8](repeating: UInt8(ascii: "x"), count: max(0, count - start.count))
    }

    private static let page = """
        <!DOCTYPE html>
        <html><head><title>Please wait</title></head>
        <body><h1>Checking your connection</h1><p>This page continues automatically.</p></body></html>

        """
}
