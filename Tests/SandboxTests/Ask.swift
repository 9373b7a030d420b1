import HTTP
import JSON

@testable import Sandbox

/// Noon of 2026-11-21 in Seoul, in nanoseconds since 1970.
let noon: Int64 = 1_795_230_000 * second
let second: Int64 = 1_000_000_000

/// A responder and shorthand to ask it.
struct Asker {
    var responder: SandboxResponder
    var now = noon
    var fields: [(String, String)]

    init(options: SandboxOptions = SandboxOptions(), fields: [(String, String)] = []) {
        responder = SandboxResponder(options: options)
        self.fields = fields
    }

    /// One that knows a Kakao key.
    static func kakao(options: SandboxOptions = SandboxOptions()) -> Asker {
        Asker(options: options, fields: [("Authorization", "KakaoAK \(options.keys.kakao[0])")])
    }

    mutating func answer(_ target: String, method: String = "GET") -> SandboxAnswer {
        let request = HTTPRequest(method: method, url: target, fields: HTTPFields(fields))
        return responder.respond(to: request, at: now)
    }

    mutating func get(_ target: String) -> HTTPResponse {
        answer(target).response
    }

    /// The document of an answer; null when the body is not JSON.
    mutating func json(_ target: String) -> JSONValue {
        get(target).json
    }
}

extension HTTPResponse {
    var json: JSONValue {
        (try? JSONDocument(body))?.root.value ?? .null
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}

extension String {
    /// Fit for a query string.
    var encoded: String { PercentEncoding.encode(self) }
}
