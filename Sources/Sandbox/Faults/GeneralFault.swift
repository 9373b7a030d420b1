import HTTP
import JSON

/// A fault that any source can have.
///
/// Members of the fault rule replace the default numbers.
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
