import HTTP
import JSON

@testable import Sandbox

/// 12:00 on 2026-11-21 in Seoul, in nanoseconds since 1970.
let noon: Int64 = 1_795_230_000 * second
let second: Int64 = 1_000_000_000

/// Sends requests to the mock server, with the keys of all APIs.
struct SandboxClient {
    static let googleKey = SandboxKeys().google[0]

    var responder: SandboxResponder
    var now = noon
    var fields = SandboxClient.keys

    static var keys: [(String, String)] {
        let keys = SandboxKeys()
        return [
            ("Authorization", "KakaoAK \(keys.kakao[0])"), ("User-Agent", "tests@example.org"),
            ("X-Naver-Client-Id", keys.naver[0].id), ("X-Naver-Client-Secret", keys.naver[0].secret),
            ("X-NCP-APIGW-API-KEY-ID", keys.naverHub[0].id), ("X-NCP-APIGW-API-KEY", keys.naverHub[0].secret),
        ]
    }

    init(_ change: (inout SandboxOptions) -> Void = { $0.limits = .none }) {
        var options = SandboxOptions()
        change(&options)
        responder = SandboxResponder(options: options)
    }

    mutating func answer(_ target: String, method: String = "GET", body: String = "") -> HTTPAnswer {
        let target = target.replacing("GOOGLE", with: "country=KR&key=\(Self.googleKey)")
        let fields = HTTPFields(fields)
        let request = HTTPRequest(method: method, url: target, fields: fields, body: Array(body.utf8))
        return responder.respond(to: request, at: now)
    }

    mutating func get(_ target: String) -> HTTPResponse { answer(target).response }

    mutating func json(_ target: String) -> JSONValue { get(target).json }
}

extension HTTPResponse {
    var json: JSONValue { (try? JSONDocument(body))?.root.value ?? .null }

    var text: String { String(decoding: body, as: UTF8.self) }
}
