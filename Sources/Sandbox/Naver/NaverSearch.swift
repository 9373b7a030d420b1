import HTTP

/// Naver's search endpoints on the old host and on API HUB: keys, bounds, quota, pages.
enum NaverSearch {
    /// What a call asks for once it has been checked.
    struct Query: Hashable {
        let kind: NaverKind
        let topic: Topic
        let sort: String
        let start: Int
        let display: Int
        var filter: String?
    }

    private struct Refusal: Error {
        let response: HTTPResponse
    }

    static func answer(_ call: Call, in world: inout World) -> HTTPResponse {
        do throws(Refusal) {
            let query = try check(call, in: &world)
            return page(query, at: call, in: &world)
        } catch {
            return error.response
        }
    }

    /// The search that a path names, of either host; nil for one that is gone or never was.
    static func kind(of path: String) -> NaverKind? {
        name(in: path).flatMap { NaverKind(rawValue: $0) }
    }

    /// The source of a path by searchd's names; of the retired searches as well, so that they can be counted.
    static func source(of path: String) -> String {
        let name = name(in: path) ?? ""
        if let kind = NaverKind(rawValue: name) { return kind.source }
        return NaverKind.retired.contains(name) ? "naver.\(name)" : "naver.unknown"
    }

    /// `blog` of `/v1/search/blog.json` and of `/search/v1/blog`.
    static func name(in path: String) -> String? {
        path.split(separator: "/").last.map { name in
            String(name.hasSuffix(".json") ? name.dropLast(".json".utf8.count) : name)
        }
    }

    /// API HUB calls its JSON text.
    static func contentType(_ call: Call) -> String {
        call.endpoint.upstream == .naverhub ? "text/plain;charset=UTF-8" : "application/json; charset=UTF-8"
    }

    /// The header by which API HUB traces a call.
    static func trace(_ call: Call) -> [(String, String)] {
        guard call.endpoint.upstream == .naverhub else { return [] }
        return [("x-ncp-trace-id", String(Dice.mix(UInt64(bitPattern: call.instant)), radix: 36))]
    }

    private static func check(_ call: Call, in world: inout World) throws(Refusal) -> Query {
        func no(_ error: NaverError) -> Refusal { Refusal(response: error.response(to: call)) }
        guard ["GET", "HEAD"].contains(call.request.method) else { throw no(.badMethod) }
        guard let kind = kind(of: call.path), hasRightForm(call, kind) else { throw no(.retired) }
        guard isKnown(call, in: world) else { throw no(.unknownClient) }
        if world.options.keys.naverDisabled.contains(kind.rawValue) { throw no(.notEnabled) }
        try charge(call, in: &world)
        if call.parameters.isMalformed { throw no(.badEncoding) }
        let topic = Topic(call.parameters["query"] ?? "")
        if topic.words.isEmpty { throw no(.badQuery) }
        guard let display = call.number("display", default: kind.displayDefault), display >= 1,
            kind == .local || display <= kind.displayMax
        else { throw no(.badDisplay) }
        guard let start = call.number("start", default: 1), (1...kind.startMax).contains(start) else {
            throw no(.badStart)
        }
        let sort = kind.sorts.isEmpty ? "" : call.parameters["sort"] ?? kind.sorts[0]
        guard kind.sorts.isEmpty || kind.sorts.contains(sort) else { throw no(.badSort) }
        // The local search silently returns five items at most.
        let shown = min(display, kind.displayMax)
        let filter = kind == .image ? call.parameters["filter"].flatMap { $0 == "all" ? nil : $0 } : nil
        return Query(kind: kind, topic: topic, sort: sort, start: start, display: shown, filter: filter)
    }

    /// The old host wants an ending, except for images; API HUB has none.
    private static func hasRightForm(_ call: Call, _ kind: NaverKind) -> Bool {
        let last = call.path.split(separator: "/").last ?? ""
        return call.endpoint.upstream == .naverhub ? !last.contains(".") : last.contains(".") || kind == .image
    }

    private static func isKnown(_ call: Call, in world: World) -> Bool {
        let keys = world.options.keys
        let (pairs, id, secret) =
            call.endpoint.upstream == .naverhub
            ? (keys.naverHub, "X-NCP-APIGW-API-KEY-ID", "X-NCP-APIGW-API-KEY")
            : (keys.naver, "X-Naver-Client-Id", "X-Naver-Client-Secret")
        return pairs.contains { $0.id == call.header(id) && $0.secret == call.header(secret) }
    }

    private static func charge(_ call: Call, in world: inout World) throws(Refusal) {
        let limits = world.options.limits
        let account = "\(call.endpoint.upstream)"
        let second = Ledger.Period.window(nanoseconds: 1_000_000_000)
        guard world.ledger.admits(account, limit: limits.naverPerSecond, per: second, at: call.instant) else {
            throw Refusal(response: NaverError.rate.response(to: call))
        }
        guard let limit = limits.naverPerDay else { return }
        // The counter goes back to zero some minutes after midnight in Korea; how many is up to the world's seed.
        var dice = Dice(world.options.seed, 0x4ED)
        let day = Ledger.Period.day(offset: Timestamp.koreaOffset - dice.roll(60) * 60)
        let used = world.ledger.charge(account, per: day, at: call.instant)
        guard used <= limit else {
            throw Refusal(response: NaverError.dailyQuota(used: used, limit: limit, call))
        }
    }

    private static func page(_ query: Query, at call: Call, in world: inout World) -> HTTPResponse {
        let results = NaverResults(query, at: call.instant, in: world)
        let total = results.claimedTotal(at: call.moment, drifts: world.options.quirks.totalsDrift)
        let key = "\(call.request.url)\n\(total)\n\(call.moment.seconds)\n\(results.listing.arrivals)"
        let writer = NaverWriter(pictures: world.pictures)
        let body = world.pages.body(key) {
            Body.naver.bytes(writer.document(results, total: total, at: call.moment))
        }
        return .of(200, contentType(call), body, trace(call))
    }
}
