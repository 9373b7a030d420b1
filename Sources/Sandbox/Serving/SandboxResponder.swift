package import HTTP
import JSON

/// Answers the requests to all mock APIs.
///
/// The same requests at the same times give the same answers.
package struct SandboxResponder: HTTPHandler {
    var world: World
    var faults: FaultChooser
    package internal(set) var counts = SandboxCounts()

    package init(options: SandboxOptions = SandboxOptions()) {
        world = World(options: options)
        faults = FaultChooser(seed: options.seed)
    }

    package var options: SandboxOptions {
        get { world.options }
        set {
            if newValue.faults != world.options.faults { faults = FaultChooser(seed: newValue.seed) }
            world.options = newValue
        }
    }

    package mutating func reset() {
        var options = world.options
        options.faults = []
        self = SandboxResponder(options: options)
    }

    package mutating func respond(to request: HTTPRequest, at instant: Int64) -> HTTPAnswer {
        let cut = request.url.firstIndex(of: "?") ?? request.url.endIndex
        let (path, query) = (request.url[..<cut], request.url[cut...].dropFirst())
        if path.hasPrefix(Control.prefix) {
            return control(request, path: path.dropFirst(Control.prefix.utf8.count), query, at: instant)
        }
        guard let (api, path, language) = Self.route(path) else {
            return HTTPAnswer(.of(404, "text/plain", Array("no API has this path\n".utf8)))
        }
        world.calls += 1
        var exchange = Exchange(
            request,
            to: api,
            path: path,
            language: language,
            Parameters(query, json: request.body),
            options: options,
            at: instant
        )
        let rules = faults.draw(options.faults, source: exchange.source)
        let row = rules.first { api.errors[$0.name] != nil }
        var answer = HTTPAnswer(row.map { exchange.error($0.name) } ?? exchange.answer(in: &world))
        fail(&answer, rules, request)
        counts.answered(exchange.source, request.url, status: answer.response.status)
        return answer
    }

    mutating func fail(_ answer: inout HTTPAnswer, _ rules: [FaultRule], _ request: HTTPRequest) {
        for rule in rules {
            counts.failed(rule.name)
            GeneralFault(rawValue: rule.name)?.apply(rule, to: &answer, request: request, base: options.base)
            if let seconds = rule.retryAfter { answer.response.fields["Retry-After"] = String(seconds) }
        }
    }

    private static func route(_ path: Substring) -> (api: API, path: String, language: String)? {
        let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        guard let first = parts.first, let api = API.all.first(where: { $0.name == first }) else {
            let candidates = API.all.flatMap { api in api.prefixes.map { (api, $0) } }.filter { path.hasPrefix($0.1) }
            return candidates.max { $0.1.count < $1.1.count }.map { ($0.0, String(path), "en") }
        }
        let rest = path.dropFirst(first.utf8.count + 1)
        guard api.hasLanguages, parts.count > 1, parts[1] != "w" else { return (api, String(rest), "en") }
        return (api, String(rest.dropFirst(parts[1].utf8.count + 1)), String(parts[1]))
    }

    package func truth(of source: String, query: String, sort: String? = nil) -> SandboxTruth? {
        for api in API.all {
            for endpoint in api.endpoints where endpoint.search != nil {
                guard let found = endpoint.sourcePattern.match(source) else { continue }
                var exchange = Exchange(
                    HTTPRequest(url: ""),
                    to: api,
                    path: "",
                    language: "en",
                    Parameters(""),
                    options: options,
                    at: 0
                )
                return exchange.truth(endpoint, query: query, sort: sort, found, in: world)
            }
        }
        return nil
    }
}

/// The documents that a client must find if it fetches all pages.
package struct SandboxTruth: Equatable, Sendable {
    /// The exact number of documents.
    ///
    /// The total in an answer may be an estimate.
    package var total: Int
    package var reachable: Int
    /// The ids of the documents, in the order of the source.
    ///
    /// `Endpoint.identity` decides which member is the id.
    package var ids: [String]
}

struct World: Sendable {
    var options: SandboxOptions
    var ledger = Ledger()
    var memory = SearchMemory()
    var calls = 0
    /// For each account, the price of its searches in millionths of a dollar.
    var spent: [String: Int] = [:]

    init(options: SandboxOptions) { self.options = options }

    var arrivals: Int {
        let each = options.quirks.callsPerNewDocument
        return each > 0 ? max(0, calls - 1) / each : 0
    }
}
