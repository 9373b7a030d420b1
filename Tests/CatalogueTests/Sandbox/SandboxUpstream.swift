import Catalogue
import HTTP
import JSON
import Sandbox
import SearchModel
import Testing

/// Passes the requests of sources directly to the mock server, without a socket.
struct SandboxUpstream {
    static let base = "http://sandbox.test"
    /// 2026-11-21T03:00:00Z.
    static let start: Int64 = 1_795_230_000

    var responder: SandboxResponder
    var now = start
    let catalogue = builtIn

    init(_ change: (inout SandboxOptions) -> Void = { _ in }) {
        var options = SandboxOptions()
        options.limits = .none
        change(&options)
        responder = SandboxResponder(options: options)
    }

    func account(_ source: Source) -> AccountAccess {
        let keys = responder.options.keys
        var secrets: [String: Secret] = [:]
        var base = "\(Self.base)/\(source.account)"
        switch source.account {
        case "kakao": secrets["key"] = keys.kakao.first.map(Secret.init)
        case "google": secrets["key"] = keys.google.first.map(Secret.init)
        case "aladin", "brave", "exa", "kagi", "nationallibrary", "tavily", "youtube":
            secrets["key"] = keys.paid.first.map(Secret.init)
        case "naver":
            secrets["id"] = keys.naver.first.map { Secret($0.id) }
            secrets["secret"] = keys.naver.first.map { Secret($0.secret) }
        case "wikipedia": base += "/{lang}"
        default: break
        }
        return AccountAccess(secrets: secrets, baseURL: base)
    }

    mutating func send(_ request: HTTPRequest) -> HTTPResponse {
        var request = request
        request.url = String(request.url.dropFirst(Self.base.utf8.count))
        return responder.respond(to: request, at: now * 1_000_000_000).response
    }

    mutating func page(_ name: String, _ request: PageRequest) throws -> Page {
        let source = try catalogue.source(named: #require(SourceName(name)))
        let account = account(source)
        let response = send(try source.request(for: request, account: account))
        return try source.page(from: response, for: request, account: account, keepRaw: true, at: now)
    }
}
