/// A fault of the mock server, with the error that the daemon should report.
struct ErrorRow: Sendable {
    let fault: String
    /// Nil if the daemon should report an empty last page instead of an error.
    let kind: String?
    let code: Int
    var retryable = false
    var retryAfter: Int64?
    var resetsAt: String?
    var hint: String?

    static let general =
        bad(["malformedJSON", "html", "emptyBody", "cut", "longLength", "shortLength"], retryable: true)
        + bad(["redirect", "redirectLoop"]) + unavailable(["status", "refuse"])

    static let kakao =
        end(["pageTooLarge"])
        + wrong([
            "missingQuery", "pageTooSmall", "sizeTooLarge", "sizeTooSmall", "badSort", "badNumber", "badTarget",
            "badArgument",
        ])
        + unauthorized(["noAuthorization", "malformedKey", "unknownKey", "refusedKey"], hint: "accounts.kakao")
        + unauthorized(["ipMismatch"], hint: "allowed addresses")
        + unauthorized(["productOff"], hint: "enable the search API")
        + unauthorized(["appBlocked"])
        + exhausted(["throttled", "quota"], until: "2026-11-22T00:00:00+09:00", seconds: 5)
        + unavailable(["maintenance", "internalError", "internalFault", "internalTimeout"])
        + bad(["badMethod", "unknownPath"])

    static let naver =
        end(["badStart"]) + wrong(["badQuery", "badDisplay", "badSort", "badEncoding"])
        + unauthorized(["unknownClient"], hint: "accounts.naver")
        + unauthorized(["notEnabled"], hint: "developers.naver.com") + unauthorized(["plainHTTP"])
        + exhausted(["dailyQuota"], until: "2026-11-22T01:00:00+09:00", seconds: 13 * 3600)
        + limited(["rate"], seconds: 1) + gone(["retired"]) + unavailable(["systemError", "errorInside200"])
        + bad(["badMethod"])

    static let naverHub =
        naver.filter { !["notEnabled", "rate"].contains($0.fault) }
        + unauthorized(["notEnabled"], hint: "Naver Cloud console") + limited(["rate"], seconds: 5)

    static let google =
        wrong(["missingQuery", "tooManyResults", "badParameter", "badKeyOld"])
        + unauthorized(["badKey", "keyNotAllowed"], hint: "accounts.google")
        + [ErrorRow(fault: "unknownLocation", kind: "notConfigured", code: -32002, hint: "accounts.google.country")]
        + exhausted(
            ["dailyQuota", "anonymousQuota", "oldDailyQuota"],
            until: "2026-11-21T00:00:00-08:00",
            seconds: 5 * 3600
        )
        + limited(["minuteQuota", "oldUserQuota"], seconds: 10)
        + unavailable(["backendFailed", "unavailable"], retryAfter: 1)
        + [ErrorRow(fault: "notFound", kind: "notFound", code: -32010)]

    static let itunes =
        wrong(["badCountry", "badEntity", "badAttribute", "badMedia"], hint: "country")
        + limited(["rateLimited", "rateLimited429"], seconds: 60) + unavailable(["produced"])
        + bad(["unknownPath"])

    static let wikipedia =
        wrong(["missingSearch", "outOfRange", "badInteger", "badValue", "unknownAction", "tooLong"])
        + unavailable(["searchFailed"]) + unavailable(["readOnly"], retryAfter: 5)
        + [
            ErrorRow(fault: "badPageID", kind: "notFound", code: -32010),
            ErrorRow(fault: "noAgent", kind: "notConfigured", code: -32002, hint: "accounts.wikipedia.contact"),
        ]
        + limited(["throttled"], seconds: 1) + bad(["unknownPath"])

    static let openlibrary =
        wrong(["tooShort", "blocked"], hint: "three characters")
        + wrong(["badPage", "badOffset", "badLimit", "badSort"]) + limited(["throttled"], seconds: 2)
        + unavailable(["unavailable"]) + bad(["notFound"])

    static let hackernews =
        wrong(["badFilter", "badNumber"]) + limited(["throttled"], seconds: 5) + unavailable(["unavailable"])
        + bad(["notFound"])

    private static func notConfigured(_ account: String) -> [ErrorRow] {
        [ErrorRow(fault: "noAgent", kind: "notConfigured", code: -32002, hint: "accounts.\(account).contact")]
    }

    private static let keyless = [
        "mwmbl": limited(["throttled"], seconds: 2)
            + exhausted(["exhausted"], until: "2026-12-01T00:00:00Z", seconds: 237 * 3600)
            + unavailable(["unavailable"], retryAfter: 5) + bad(["notFound"]),
        "marginalia": limited(["throttled"], seconds: 60)
            + exhausted(["exhausted"], until: "2026-11-22T00:00:00Z", seconds: 21 * 3600)
            + unavailable(["failed"]) + unavailable(["unavailable"], retryAfter: 5) + bad(["noKey", "notFound"]),
        "github": wrong(["missing", "tooLong"]) + limited(["throttled", "secondary"], seconds: 60)
            + unauthorized(["noAgent"]) + unavailable(["unavailable"]) + bad(["notFound"]),
        "stackexchange": wrong(["noSite", "badPage", "badSort", "noMethod"]) + limited(["throttled"], seconds: 900)
            + unavailable(["unavailable"], retryAfter: 10),
        "crossref": wrong(["badNumber", "badSort"]) + limited(["throttled"], seconds: 5)
            + unavailable(["unavailable"]) + bad(["notFound"]),
        "openalex": wrong(["badNumber"]) + limited(["throttled"], seconds: 60) + unavailable(["unavailable"])
            + bad(["notFound"]),
        "musicbrainz": wrong(["missing"]) + notConfigured("musicbrainz") + limited(["throttled"], seconds: 2)
            + unavailable(["unavailable"]) + bad(["notFound"]),
        "wikidata": wrong(["missing"]) + notConfigured("wikidata") + limited(["throttled"], seconds: 5)
            + unavailable(["unavailable"]) + bad(["notFound"]),
        "openstreetmap": limited(["throttled"], seconds: 600) + unavailable(["unavailable"]) + bad(["notFound"]),
        "mdn": wrong(["missing", "badPage"]) + limited(["throttled"], seconds: 10) + unavailable(["unavailable"])
            + bad(["notFound"]),
        "arxiv": wrong(["badNumber"]) + limited(["throttled", "unavailable"], seconds: 6) + bad(["notFound"]),
    ]

    private static func spent(_ faults: [String]) -> [ErrorRow] {
        exhausted(faults, until: "2026-12-01T00:00:00Z", seconds: 237 * 3600)
    }

    private static let paid = [
        "brave": unauthorized(["noKey", "badKey", "noSubscription"]) + wrong(["badQuery"])
            + limited(["throttled", "throttledAsDocumented"], seconds: 1) + spent(["exhausted"])
            + unavailable(["unavailable"]) + bad(["notFound"]),
        "kagi": unauthorized(["badKey", "notAllowed"]) + wrong(["badNumber"]) + limited(["throttled"], seconds: 10)
            + unavailable(["unavailable"]) + bad(["notFound"]),
        "tavily": unauthorized(["badKey", "notAllowed"]) + wrong(["badQuery"]) + limited(["throttled"], seconds: 10)
            + spent(["exhausted", "unpaid"]) + unavailable(["unavailable"]) + bad(["notFound"]),
        "exa": unauthorized(["badKey"]) + wrong(["badNumber"]) + limited(["throttled"], seconds: 1) + spent(["unpaid"])
            + unavailable(["unavailable"]) + bad(["notFound"]),
        "searxng": [ErrorRow(fault: "noFormat", kind: "notConfigured", code: -32002, hint: "search.formats")]
            + wrong(["badNumber"]) + limited(["throttled"], seconds: 10) + unavailable(["noEngine", "unavailable"])
            + bad(["notFound"]),
        "youtube": unauthorized(["badKey", "notEnabled"]) + wrong(["badNumber"]) + limited(["throttled"], seconds: 10)
            + exhausted(["exhausted"], until: "2026-11-21T00:00:00-08:00", seconds: 5 * 3600)
            + unavailable(["unavailable"]) + bad(["notFound"]),
        "aladin": unauthorized(["badKey"]) + wrong(["badQuery"]) + unavailable(["unavailable"]) + bad(["notFound"]),
        "nationallibrary": unauthorized(["badKey"]) + wrong(["badQuery"]) + unavailable(["unavailable"])
            + bad(["notFound"]),
    ]

    static let tables = keyless.merging(paid) { first, _ in first }.merging([
        "kakao": kakao, "naver": naver, "naverhub": naverHub, "google": google, "itunes": itunes,
        "wikipedia": wikipedia, "openlibrary": openlibrary, "hackernews": hackernews,
    ]) { first, _ in first }

    private static func end(_ faults: [String]) -> [ErrorRow] {
        faults.map { ErrorRow(fault: $0, kind: nil, code: 0) }
    }

    private static func wrong(_ faults: [String], hint: String? = nil) -> [ErrorRow] {
        faults.map { ErrorRow(fault: $0, kind: "invalidParams", code: -32602, hint: hint) }
    }

    private static func unauthorized(_ faults: [String], hint: String? = nil) -> [ErrorRow] {
        faults.map { ErrorRow(fault: $0, kind: "unauthorized", code: -32002, hint: hint) }
    }

    private static func exhausted(_ faults: [String], until: String, seconds: Int64) -> [ErrorRow] {
        faults.map {
            ErrorRow(fault: $0, kind: "quotaExhausted", code: -32004, retryAfter: seconds, resetsAt: until)
        }
    }

    private static func limited(_ faults: [String], seconds: Int64) -> [ErrorRow] {
        faults.map { ErrorRow(fault: $0, kind: "rateLimited", code: -32003, retryable: true, retryAfter: seconds) }
    }

    private static func unavailable(_ faults: [String], retryAfter: Int64? = nil) -> [ErrorRow] {
        faults.map {
            ErrorRow(fault: $0, kind: "unavailable", code: -32005, retryable: true, retryAfter: retryAfter)
        }
    }

    private static func gone(_ faults: [String]) -> [ErrorRow] {
        faults.map { ErrorRow(fault: $0, kind: "unavailable", code: -32005, hint: "ended") }
    }

    private static func bad(_ faults: [String], retryable: Bool = false) -> [ErrorRow] {
        faults.map { ErrorRow(fault: $0, kind: "badResponse", code: -32006, retryable: retryable) }
    }
}
