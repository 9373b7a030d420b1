import HTTP
import JSON

/// Kakao's search endpoints: keys, bounds, quota, pages.
enum KakaoSearch {
    /// What a call asks for once it has been checked.
    struct Query: Hashable {
        let kind: KakaoKind
        let topic: Topic
        let byDate: Bool
        let page: Int
        let size: Int
        var target: String?
    }

    static func answer(_ call: Call, in world: inout World) -> HTTPResponse {
        do throws(KakaoError) {
            return page(try check(call, in: &world), at: call, in: &world)
        } catch {
            return error.response(to: call)
        }
    }

    static func kind(of path: String) -> KakaoKind? {
        KakaoKind.allCases.first { $0.path == path }
    }

    /// The key of `Authorization: KakaoAK …`.
    static func key(of call: Call) -> String? {
        guard let value = call.header("Authorization"), value.hasPrefix("KakaoAK ") else { return nil }
        return String(value.dropFirst("KakaoAK ".utf8.count))
    }

    private static func check(_ call: Call, in world: inout World) throws(KakaoError) -> Query {
        guard let kind = kind(of: call.path) else { throw .unknownPath }
        guard ["GET", "HEAD"].contains(call.request.method) else { throw .badMethod }
        if let error = checkKey(call, in: world) { throw error }
        if let error = charge(kind, call, in: &world) { throw error }
        let topic = Topic(call.parameters["query"] ?? "")
        guard !topic.words.isEmpty else { throw .missingQuery }
        let sort = call.parameters["sort"] ?? "accuracy"
        guard ["accuracy", kind.dateSort].contains(sort) else { throw .badSort }
        guard let page = call.number("page", default: 1),
            let size = call.number("size", default: kind.sizeDefault)
        else { throw .badNumber }
        if page > kind.pageMax { throw .pageTooLarge }
        if page < 1 { throw .pageTooSmall }
        if size > kind.sizeMax { throw .sizeTooLarge }
        if size < 1 { throw .sizeTooSmall }
        var query = Query(kind: kind, topic: topic, byDate: sort != "accuracy", page: page, size: size)
        if kind == .book, let target = call.parameters["target"] {
            guard ["title", "isbn", "publisher", "person"].contains(target) else { throw .badTarget }
            query.target = target
        }
        return query
    }

    private static func checkKey(_ call: Call, in world: World) -> KakaoError? {
        guard let key = key(of: call) else { return .noAuthorization }
        guard key.utf8.count == 32, key.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
            return .malformedKey
        }
        return world.options.keys.kakao.contains(key) ? nil : .unknownKey
    }

    private static func charge(_ kind: KakaoKind, _ call: Call, in world: inout World) -> KakaoError? {
        let limits = world.options.limits
        let account = "kakao \(key(of: call) ?? "")"
        let day = Ledger.Period.day(offset: Timestamp.koreaOffset)
        let admitted = [
            world.ledger.admits(account, limit: limits.kakaoPerDayTotal, per: day, at: call.instant),
            world.ledger.admits("\(account) \(kind)", limit: limits.kakaoPerDayEach, per: day, at: call.instant),
            world.ledger.admits(account, limit: limits.kakaoPerMonth, per: .month, at: call.instant),
            world.ledger.admits(
                account,
                limit: limits.kakaoPerSecond,
                per: .window(nanoseconds: 1_000_000_000),
                at: call.instant
            ),
        ]
        if admitted.allSatisfy({ $0 }) { return nil }
        return world.options.quirks.kakaoQuotaIs400 ? .quota : .throttled
    }

    private static func page(_ query: Query, at call: Call, in world: inout World) -> HTTPResponse {
        let results = KakaoResults(query, at: call.instant, in: world)
        let key = "\(call.request.url)\n\(results.listing.arrivals)"
        let pictures = world.pictures
        let body = world.pages.body(key) { Body.kakao.bytes(results.document(pictures)) }
        return .of(200, KakaoError.contentType, body)
    }
}
