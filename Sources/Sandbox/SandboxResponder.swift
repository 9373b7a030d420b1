package import HTTPMessage

/// The imitated search APIs as a pure machine: a request and its time go in, an answer comes out.
///
/// It keeps what the real ones keep: counters of quota and rate. The same options and the same requests at the same
/// times give the same answers.
package struct SandboxResponder: Sendable {
    var world: World
    package var counts = SandboxCounts()

    package init(options: SandboxOptions = SandboxOptions()) {
        world = World(options: options)
    }

    package var options: SandboxOptions {
        get { world.options }
        set { world.options = newValue }
    }

    /// Forgets what was counted, quotas included, and every fault rule.
    package mutating func reset() {
        var options = world.options
        options.faults = []
        world = World(options: options)
        counts = SandboxCounts()
    }

    /// Answers one request.
    ///
    /// - Parameters:
    ///   - request: Its `url` is the target, `/path?query`.
    ///   - instant: Nanoseconds since 1970.
    /// - Returns: The response, and the way in which it is to be brought across.
    package mutating func respond(to request: HTTPRequest, at instant: Int64) -> SandboxAnswer {
        let cut = request.url.firstIndex(of: "?") ?? request.url.endIndex
        let path = request.url[..<cut]
        let parameters = Parameters(request.url[cut...].dropFirst())
        guard let endpoint = Endpoint(path: path) else {
            return SandboxAnswer(.of(404, "text/plain", Array("no upstream has this path\n".utf8)))
        }
        world.began(at: instant)
        let call = Call(request: request, endpoint: endpoint, parameters: parameters, instant: instant)
        let response = answer(call)
        counts.answered(Self.source(of: call), status: response.status)
        return SandboxAnswer(response)
    }

    private mutating func answer(_ call: Call) -> HTTPResponse {
        switch call.endpoint.upstream {
        case .kakao: KakaoSearch.answer(call, in: &world)
        default: HTTPResponse(status: 501)
        }
    }

    /// The source that a call belongs to, by searchd's names.
    static func source(of call: Call) -> String {
        switch call.endpoint.upstream {
        case .kakao: KakaoSearch.kind(of: call.path)?.source ?? "kakao.unknown"
        default: call.endpoint.upstream.rawValue
        }
    }
}
