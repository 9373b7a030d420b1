import HTTP
import JSON

/// A fault that any source can have, in addition to the errors of its API.
///
/// Members of the fault rule change it. Their defaults are in parentheses.
///
/// - `delay` waits `milliseconds` (1,000) before the answer. `hang` never answers. `refuse` closes the connection.
/// - `stall` sends the head and `bytes` (half) of the body, and then nothing. `cut` closes the connection at this
///   point. `drip` sends `bytes` (64) at a time, every `milliseconds` (50).
/// - `longLength` sends a Content-Length that is `bytes` (100) too large. `shortLength` sends half of the length.
/// - `malformedJSON` sends JSON that ends too early, with the correct length. `html` sends an HTML page with status
///   200. `emptyBody` sends no body. `hugeBody` sends `bytes` (32 MiB) that begin like JSON. `padded` appends zeros to
///   the body until it has `bytes` (32 MiB), so a picture stays valid.
/// - `redirect` redirects to `location` (the same answer with another URL). `redirectLoop` redirects to itself.
/// - `status` sends `status` (500) and a short text. `echo` sends `status` (400) and the values of the request, with
///   its keys. `echoEncoded` does the same, but percent-encoded and in base64.
enum GeneralFault: String, CaseIterable, Sendable {
    case delay, hang, stall, cut, refuse, drip, longLength, shortLength
    case malformedJSON, html, redirect, redirectLoop, emptyBody, hugeBody, padded, status, echo, echoEncoded

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
            answer.response = .of(rule.status ?? 500, "text/plain", Array("the mock server fails on request\n".utf8))
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

    private static let page = "<!DOCTYPE html>\n<html><body><h1>Checking your connection</h1></body></html>\n"
}
