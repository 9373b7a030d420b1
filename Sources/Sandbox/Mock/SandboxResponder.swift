package import HTTP
import JSON

/// The mock APIs as a pure machine: a request and its time go in, an answer comes out.
///
/// It keeps what the real ones keep: counters of quotas and rates. The same options and the same requests at the same
/// times give the same answers.
package struct SandboxResponder: HTTPHandler {
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

    package mutating func respond(to request: HTTPRequest, at instant: Int64) -> HTTPAnswer {
        let cut = request.url.firstIndex(of: "?") ?? request.url.endIndex
        let path = request.url[..<cut]
        let parameters = Parameters(request.url[cut...].dropFirst())
        if path.hasPrefix(Control.prefix) {
            return control(request, path: path.dropFirst(Control.prefix.utf8.count), parameters, at: instant)
        }
        guard let (api, path, language) = Self.route(path) else {
            return HTTPAnswer(.of(404, "text/plain", Array("no upstream has this path\n".utf8)))
        }
        world.began(at: instant)
        var exchange = Exchange(
            request,
            to: api,
            path: path,
            language: language,
            parameters,
            options: options,
            at: instant
        )
        let source = exchange.source
        let rules = faults.draw(options.faults, source: source)
        let row = rules.first { api.errors[$0.name] != nil }
        var answer = HTTPAnswer(row.map { exchange.faulty($0.name) } ?? exchange.answer(in: &world))
        for rule in rules {
            counts.failed(rule.name)
            GeneralFault(rawValue: rule.name)?.apply(rule, to: &answer, request: request, base: options.base)
            if let seconds = rule.retryAfter { answer.response.fields["Retry-After"] = String(seconds) }
        }
        counts.answered(source, status: answer.response.status)
        return answer
    }

    /// The API of a path, and the path without the API's name and language.
    ///
    /// Every API is served under its name, and without it under the beginnings of its paths.
    private static func route(_ path: Substring) -> (api: API, path: String, language: String)? {
        let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        guard let first = parts.first, let api = API.all.first(where: { $0.name == first }) else {
            let candidates = API.all.flatMap { api in api.prefixes.map { (api, $0) } }.filter { path.hasPrefix($0.1) }
            return candidates.max { $0.1.count < $1.1.count }.map { ($0.0, String(path), "en") }
        }
        var rest = path.dropFirst(first.utf8.count + 1)
        var language = "en"
        if api.hasLanguages, parts.count > 1, parts[1] != "w" {
            language = String(parts[1])
            rest = rest.dropFirst(parts[1].utf8.count + 1)
        }
        return (api, rest.isEmpty ? "/" : String(rest), language)
    }

    /// The true list of a source for a query, in one of the source's own sorts.
    ///
    /// - Parameters:
    ///   - source: As searchd names it.
    ///   - query: What would be searched for.
    ///   - sort: The value of the source's own parameter; its default when nil.
    ///   - instant: Nanoseconds since 1970; matters only while documents arrive.
    /// - Returns: nil for an unknown source or sort.
    package func truth(of source: String, query: String, sort: String? = nil, at instant: Int64) -> SandboxTruth? {
        for api in API.all {
            for endpoint in api.endpoints {
                guard let found = endpoint.match(source: source), let search = endpoint.search else { continue }
                if sort != nil, search.sorts == nil { return nil }
                var exchange = Exchange(
                    HTTPRequest(url: ""),
                    to: api,
                    path: "",
                    language: "en",
                    Parameters(""),
                    options: options,
                    at: instant
                )
                exchange.variables[search.parameter] = .string(query)
                if let sort { exchange.variables[search.sortParameter] = .string(sort) }
                return exchange.truth(endpoint, found, in: world)
            }
        }
        return nil
    }
}

/// What a source really has for a query: the measure for walks over its pages.
package struct SandboxTruth: Equatable, Sendable {
    /// How many match, as the source claims when nothing drifts.
    package var total: Int
    /// How many of them can be reached.
    package var reachable: Int
    /// What identifies the reachable ones, in the source's order: Kakao `url` (image: `image_url`), Naver `link`,
    /// Google `id`, iTunes `trackId` or `collectionId`, Wikipedia `pageid`, Open Library `key`, Hacker News `objectID`.
    package var ids: [String]
}

/// What the APIs share: the options, the accounts' counters, and bodies built before.
struct World: Sendable {
    var options: SandboxOptions {
        didSet { pages = PageCache() }
    }
    var ledger = Ledger()
    var pages = PageCache()
    var memory = SearchMemory()
    /// For what is left to chance, like one failure in so many.
    var dice: Dice
    /// When the first request came: arrivals are counted from here.
    private var first: Int64?
    /// How many requests came before the present one.
    private var calls = -1

    init(options: SandboxOptions) {
        self.options = options
        dice = Dice(options.seed, 0x10C4)
    }

    mutating func began(at instant: Int64) {
        if first == nil { first = instant }
        calls += 1
    }

    /// How many documents have appeared since the first request.
    func arrivals(at instant: Int64) -> Int {
        guard let first else { return 0 }
        let (seconds, each): (Int, Int) = (options.quirks.arrivalSeconds, options.quirks.arrivalCalls)
        let byTime = seconds > 0 ? Int(max(0, instant - first) / 1_000_000_000) / seconds : 0
        return byTime + (each > 0 ? calls / each : 0)
    }
}

/// Bodies that were built before; emptied when it is full.
struct PageCache: Sendable {
    struct Page: Sendable {
        var body: [UInt8]
        var memory: SearchMemory.Search
    }

    static let bytesMax = 32 << 20

    private var pages: [String: Page] = [:]
    private var bytes = 0

    /// The page of a key, which must say everything that the body depends on; a key is set once.
    subscript(key: String) -> Page? {
        get { pages[key] }
        set {
            guard let newValue else { return }
            if bytes + newValue.body.count > Self.bytesMax { self = PageCache() }
            bytes += newValue.body.count
            pages[key] = newValue
        }
    }
}

/// The decoded parameters of a query string.
struct Parameters: Sendable {
    private(set) var list: [(name: String, value: String)] = []
    /// True when an escape was broken or the bytes were not UTF-8; such a parameter is left out.
    private(set) var isMalformed = false

    init(_ query: Substring) {
        for pair in query.split(separator: "&") {
            let cut = pair.firstIndex(of: "=") ?? pair.endIndex
            let name = PercentEncoding.decode(pair[..<cut], plusIsBlank: true)
            let text = cut == pair.endIndex ? "" : pair[pair.index(after: cut)...]
            if let name, let value = PercentEncoding.decode(text, plusIsBlank: true) {
                list.append((name, value))
            } else {
                isMalformed = true
            }
        }
    }

    /// The first value of a name.
    subscript(name: String) -> String? {
        list.first { $0.name == name }?.value
    }
}
