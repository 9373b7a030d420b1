import HTTPMessage
import JSON
import Testing

@testable import Sandbox

/// Every row of every error table, called for by name as a fault.
@Suite struct ErrorRowTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let source: String
        let name: String
        let target: String
        let status: Int
        let text: String

        var testDescription: String { "\(source) \(name)" }
    }

    static func rows(_ source: String, _ target: String, _ rows: [(String, Int, String)]) -> [Row] {
        rows.map { Row(source: source, name: $0.0, target: target, status: $0.1, text: $0.2) }
    }

    static let kakao = rows(
        "kakao.blog",
        "/v2/search/blog?query=cat",
        [
            ("missingQuery", 400, "MissingParameter"), ("pageTooLarge", 400, "page is more than max"),
            ("pageTooSmall", 400, "page is less than min"), ("sizeTooLarge", 400, "size is more than max"),
            ("sizeTooSmall", 400, "size is less than min"),
            ("badSort", 400, "sort parameter one of accuracy and recency"),
            ("badNumber", 400, "InvalidArgument"), ("badTarget", 400, "InvalidArgument"),
            ("noAuthorization", 401, "cannot find Authorization : KakaoAK header"),
            ("malformedKey", 401, "wrong appKey("), ("unknownKey", 401, "does not exist"),
            ("ipMismatch", 401, "ip mismatched! callerIp="), ("productOff", 403, "NotAuthorizedError"),
            ("throttled", 429, "RequestThrottled"), ("quota", 400, "\"code\":-10"), ("maintenance", 503, "-9798"),
            ("internalError", 400, "\"code\":-1"), ("internalFault", 500, "\"code\":-1"), ("badMethod", 405, "GET"),
            ("unknownPath", 404, "NotFound"), ("internalTimeout", 400, "-603"), ("badArgument", 400, "-2"),
            ("refusedKey", 401, "-401"), ("appBlocked", 403, "-12"),
        ]
    )

    static let naver = rows(
        "naver.news",
        "/v1/search/news.json?query=cat",
        [
            ("badQuery", 400, "SE01"), ("badDisplay", 400, "SE02"), ("badStart", 400, "SE03"), ("badSort", 400, "SE04"),
            ("retired", 404, "SE05"), ("badEncoding", 400, "SE06"), ("systemError", 500, "SE99"),
            ("unknownClient", 401, "Not Exist Client ID"), ("notEnabled", 401, "Scope Status Invalid"),
            ("plainHTTP", 403, ""), ("badMethod", 405, ""), ("dailyQuota", 429, "\"010\""), ("rate", 429, "\"012\""),
            ("errorInside200", 200, "SE99"),
        ]
    )

    static let hub = rows(
        "naver.news",
        "/search/v1/news?query=cat",
        [
            ("badQuery", 400, "SE01"), ("unknownClient", 401, "{\"error\":{\"errorCode\":\"200\""),
            ("notEnabled", 401, "{\"error\":{\"errorCode\":401,"), ("dailyQuota", 429, "Quota Exceeded"),
            ("rate", 429, "Rate Limited"), ("retired", 404, "Not Found"),
        ]
    )

    static let google = rows(
        "google.books",
        "/books/v1/volumes?q=cat",
        [
            ("missingQuery", 400, "Missing query."),
            ("tooManyResults", 400, "Values must be within the range: [0, 40]"),
            ("badParameter", 400, "invalidParameter"), ("badKey", 400, "API_KEY_INVALID"),
            ("badKeyOld", 400, "Bad Request"), ("keyNotAllowed", 403, "PERMISSION_DENIED"),
            ("unknownLocation", 403, "unknownLocation"), ("dailyQuota", 429, "defaultPerDayPerProject"),
            ("minuteQuota", 429, "defaultPerMinutePerUser"), ("anonymousQuota", 429, "\"quota_limit_value\": \"0\""),
            ("oldDailyQuota", 403, "dailyLimitExceeded"), ("oldUserQuota", 403, "userRateLimitExceeded"),
            ("backendFailed", 503, "backendFailed"), ("notFound", 404, "notFound"),
            ("unavailable", 503, "unavailable."),
        ]
    )

    static let itunes = rows(
        "itunes.app",
        "/search?term=cat&media=software",
        [
            ("badCountry", 400, "Invalid value(s) for key(s): [country]"), ("badEntity", 400, "[resultEntity]"),
            ("badAttribute", 400, "[attributeType]"), ("badMedia", 400, "[mediaType]"), ("rateLimited", 403, ""),
            ("rateLimited429", 429, ""), ("produced", 500, "[newNullResponse]"), ("unknownPath", 404, ""),
        ]
    )

    static let keyless =
        rows(
            "wikipedia.ko",
            "/wikipedia/ko/w/api.php?action=query&list=search&srsearch=cat",
            [
                ("missingSearch", 200, "missingparam"), ("outOfRange", 200, "outofrange"),
                ("badInteger", 200, "badinteger"), ("badValue", 200, "badvalue"), ("unknownAction", 200, "badvalue"),
                ("tooLong", 200, "query-too-long"), ("searchFailed", 200, "internal_api_error"),
                ("readOnly", 200, "maxlag"), ("noAgent", 403, "user-agent"), ("throttled", 429, "too many"),
                ("unknownPath", 404, ""),
            ]
        )
        + rows(
            "openlibrary.books",
            "/search.json?q=cat",
            [
                ("tooShort", 422, "string_too_short"), ("blocked", 422, "too common"), ("badPage", 422, "\"page\""),
                ("badOffset", 422, "\"offset\""), ("badLimit", 422, "\"limit\""), ("badSort", 422, "\"sort\""),
                ("throttled", 429, "Too Many"), ("unavailable", 503, "Unavailable"), ("notFound", 404, "notfound"),
            ]
        )
        + rows(
            "hackernews.stories",
            "/api/v1/search?query=cat",
            [
                ("badFilter", 400, "numericFilters"), ("badNumber", 400, "hitsPerPage"), ("throttled", 429, "Too many"),
                ("notFound", 404, "Not Found"), ("unavailable", 503, "Unreachable"),
            ]
        )

    @Test(arguments: kakao + naver + hub + google + itunes + keyless)
    func `a row of the error table comes when it is called for`(row: Row) {
        var options = SandboxOptions()
        options.faults = [FaultRule(source: row.source, name: row.name)]
        var asker = Asker(options: options)
        let response = asker.get(row.target)
        #expect(response.status == row.status)
        #expect(row.text.isEmpty ? true : response.text.contains(row.text), "\(response.text)")
        #expect(asker.responder.counts.requests(to: row.source, status: row.status) == 1)
        #expect(asker.responder.counts.byFault == [row.name: 1])
    }

    @Test(arguments: Upstream.allCases)
    func `no row of any table is left out above`(upstream: Upstream) {
        let all = Self.kakao + Self.naver + Self.hub + Self.google + Self.itunes + Self.keyless
        let tested = Set(all.filter { $0.source.hasPrefix(upstream.sourcePrefix) }.map(\.name))
        #expect(tested == Set(upstream.errors.names))
    }

    @Test func `a 403 of the store has no body and no retry time`() {
        var options = SandboxOptions()
        options.faults = [FaultRule(source: "itunes.*", name: "rateLimited")]
        var asker = Asker(options: options)
        let response = asker.get("/search?term=cat")
        #expect(response.body.isEmpty)
        #expect(response.fields["Retry-After"] == nil)
        #expect(response.fields["Cache-Control"]?.contains("no-store") == true)
    }
}
