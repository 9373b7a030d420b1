package import HTTP

/// The imitated search APIs as a pure machine: a request and its time go in, an answer comes out.
///
/// It keeps what the real ones keep: counters of quota and rate. The same options and the same requests at the same
/// times give the same answers.
package struct SandboxResponder: Sendable {
    var world: World
    var faults: FaultDraw
    package internal(set) var counts = SandboxCounts()

    package init(options: SandboxOptions = SandboxOptions()) {
        world = World(options: options)
        faults = FaultDraw(seed: options.seed)
    }

    package var options: SandboxOptions {
        get { world.options }
        set {
            if newValue.faults != world.options.faults { faults.forget() }
            world.options = newValue
        }
    }

    /// Forgets what was counted, quotas included, and every fault rule.
    package mutating func reset() {
        var options = world.options
        options.faults = []
        self = SandboxResponder(options: options)
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
        if path.hasPrefix(Control.prefix) {
            return control(request, path: path.dropFirst(Control.prefix.utf8.count), parameters, at: instant)
        }
        guard let endpoint = Endpoint(path: path) else {
            return SandboxAnswer(.of(404, "text/plain", Array("no upstream has this path\n".utf8)))
        }
        world.began(at: instant)
        let call = Call(request: request, endpoint: endpoint, parameters: parameters, instant: instant)
        let source = endpoint.source(parameters)
        let answer = answer(call, from: source)
        counts.answered(source, status: answer.response.status)
        return answer
    }

    /// The upstream's own answer, unless faults say otherwise.
    private mutating func answer(_ call: Call, from source: String) -> SandboxAnswer {
        let rules = faults.draw(options.faults, source: source)
        let row = rules.lazy.compactMap { call.endpoint.upstream.errors.init(rawValue: $0.name) }.first
        var answer = SandboxAnswer(row?.response(to: call) ?? call.endpoint.upstream.answer(call, in: &world))
        for rule in rules {
            counts.failed(rule.name)
            GeneralFault(rawValue: rule.name)?
                .apply(rule, to: &answer, request: call.request, base: options.base)
            if let seconds = rule.retryAfter { answer.response.fields["Retry-After"] = String(seconds) }
        }
        return answer
    }
}
