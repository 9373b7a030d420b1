import Catalogue
import Sandbox
import SearchModel
import Testing

/// A row of an error table, as the sandbox plays it, and what the caller is told.
struct ErrorCase: Sendable, CustomStringConvertible {
    let source: String
    let fault: String
    /// nil: an empty last page.
    let kind: String?
    let retryable: Bool
    var isHub = false

    var description: String { "\(source) \(fault)" + (isHub ? " over the hub" : "") }

    init(_ source: String, _ fault: String, _ kind: String?, retryable: Bool = false, isHub: Bool = false) {
        self.source = source
        self.fault = fault
        self.kind = kind
        self.retryable = retryable
        self.isHub = isHub
    }

    private static func rows(
        _ source: String,
        _ kind: String?,
        _ faults: [String],
        retryable: Bool = false,
        isHub: Bool = false
    )
        -> [ErrorCase]
    {
        faults.map { ErrorCase(source, $0, kind, retryable: retryable, isHub: isHub) }
    }

    static let all: [ErrorCase] =
        rows("kakao.book", nil, ["pageTooLarge"])
        + rows(
            "kakao.book",
            "invalidParams",
            ["missingQuery", "pageTooSmall", "sizeTooLarge", "sizeTooSmall", "badSort", "badNumber", "badTarget"]
        )
        + rows(
            "kakao.web",
            "unauthorized",
            ["noAuthorization", "malformedKey", "unknownKey", "ipMismatch", "productOff"]
        )
        + rows("kakao.cafe", "quotaExhausted", ["throttled", "quota"])
        + rows("kakao.video", "unavailable", ["maintenance", "internalError", "internalFault"], retryable: true)
        + rows("kakao.image", "badResponse", ["badMethod", "unknownPath"])
        + rows("naver.blog", nil, ["badStart"]) + rows("naver.blog", nil, ["badStart"], isHub: true)
        + rows("naver.news", "invalidParams", ["badQuery", "badDisplay", "badSort", "badEncoding"])
        + rows("naver.web", "unauthorized", ["unknownClient", "notEnabled", "plainHTTP"])
        + rows("naver.web", "unauthorized", ["unknownClient", "notEnabled"], isHub: true)
        + rows("naver.cafe", "quotaExhausted", ["dailyQuota"])
        + rows("naver.cafe", "quotaExhausted", ["dailyQuota"], isHub: true)
        + rows("naver.kin", "rateLimited", ["rate"], retryable: true)
        + rows("naver.kin", "rateLimited", ["rate"], retryable: true, isHub: true)
        + rows("naver.encyc", "unavailable", ["retired"]) + rows("naver.encyc", "unavailable", ["retired"], isHub: true)
        + rows("naver.image", "unavailable", ["systemError", "errorInside200"], retryable: true)
        + rows("google.books", "invalidParams", ["missingQuery", "tooManyResults", "badParameter", "badKeyOld"])
        + rows("google.books", "unauthorized", ["badKey", "keyNotAllowed"])
        + rows("google.books", "notConfigured", ["unknownLocation"])
        + rows("google.books", "quotaExhausted", ["dailyQuota", "anonymousQuota", "oldDailyQuota"])
        + rows("google.books", "rateLimited", ["minuteQuota", "oldUserQuota"], retryable: true)
        + rows("google.books", "unavailable", ["backendFailed", "unavailable"], retryable: true)
        + rows("google.books", "notFound", ["notFound"])
        + rows("itunes.app", "invalidParams", ["badCountry", "badEntity", "badAttribute", "badMedia"])
        + rows("itunes.music", "rateLimited", ["rateLimited", "rateLimited429"], retryable: true)
        + rows("itunes.movie", "unavailable", ["produced"], retryable: true)
        + rows(
            "wikipedia.ko",
            "invalidParams",
            ["missingSearch", "outOfRange", "badInteger", "badValue", "unknownAction", "tooLong"]
        )
        + rows("wikipedia.ko", "unavailable", ["searchFailed", "readOnly"], retryable: true)
        + rows("wikipedia.ko", "notConfigured", ["noAgent"])
        + rows("wikipedia.ko", "rateLimited", ["throttled"], retryable: true)
        + rows(
            "openlibrary.books",
            "invalidParams",
            ["tooShort", "blocked", "badPage", "badOffset", "badLimit", "badSort"]
        )
        + rows("openlibrary.books", "rateLimited", ["throttled"], retryable: true)
        + rows("openlibrary.books", "unavailable", ["unavailable"], retryable: true)
        + rows("hackernews.stories", "invalidParams", ["badFilter", "badNumber"])
        + rows("hackernews.stories", "rateLimited", ["throttled"], retryable: true)
        + rows("hackernews.stories", "unavailable", ["unavailable"], retryable: true)
        + [
            "kakao.web", "naver.web", "google.books", "itunes.album", "wikipedia.en", "openlibrary.books",
            "hackernews.stories",
        ]
        .flatMap { source in
            rows(source, "badResponse", ["malformedJSON", "html", "emptyBody"], retryable: true)
                + rows(source, "badResponse", ["redirect", "redirectLoop"])
                + rows(source, "unavailable", ["status"], retryable: true)
        }
}

struct SandboxErrorTests {
    @Test(arguments: ErrorCase.all)
    func `every error row is told as what it is`(_ row: ErrorCase) throws {
        var upstream = SandboxUpstream { $0.faults = [FaultRule(source: "*", name: row.fault)] }
        guard let kind = row.kind else {
            let page = try upstream.page(row.source, pageRequest("고양이"), isHub: row.isHub)
            #expect(page.hits.isEmpty && page.isEnd)
            return
        }
        let error = try #require(throws: SearchError.self) {
            try upstream.page(row.source, pageRequest("고양이"), isHub: row.isHub)
        }
        #expect(error.kind.rawValue == kind, "\(error.message)")
        #expect(error.retryable == row.retryable)
        #expect(error.source?.text == row.source)
        let account = upstream.account(try source(row.source), isHub: row.isHub)
        for secret in account.secrets.values {
            #expect(!error.message.contains(secret.reveal()))
        }
        #expect(!error.message.contains("고양이"))
    }

    @Test(arguments: ["kakao.blog", "naver.blog", "google.books"])
    func `a key that the source does not know is refused, and not repeated`(_ name: String) throws {
        var upstream = SandboxUpstream()
        let source = try source(name)
        var account = upstream.account(source)
        let wrong = "unknown0key0unknown0key0unknown0k"
        for slot in account.secrets.keys { account.secrets[slot] = Secret(wrong) }
        let error = try #require(throws: SearchError.self) {
            try upstream.page(name, pageRequest("cat"), account: account)
        }
        #expect(error.kind == .unauthorized)
        #expect(!error.message.contains(wrong))
    }

    @Test(arguments: [
        ("kakao.blog", "quotaExhausted", "2026-11-22T00:00:00+09:00" as String?),
        ("naver.blog", "quotaExhausted", "2026-11-22T01:00:00+09:00"),
        ("google.books", "quotaExhausted", "2026-11-21T00:00:00-08:00"), ("itunes.app", "rateLimited", nil),
        ("openlibrary.books", "rateLimited", nil),
    ])
    func `limits that are used up are told with their end`(_ name: String, _ kind: String, _ resets: String?) throws {
        var upstream = SandboxUpstream {
            $0.limits.kakaoPerDayTotal = 3
            $0.limits.naverPerDay = 3
            $0.limits.googlePerDay = 3
            $0.limits.itunesPerMinute = 3
            $0.limits.openlibraryPerSecond = 1
        }
        _ = try upstream.page(name, pageRequest("고양이"))
        let error = try #require(throws: SearchError.self) {
            for page in 1...3 { _ = try upstream.page(name, pageRequest("고양이", page: page)) }
        }
        #expect(error.kind.rawValue == kind)
        #expect(error.resetsAt == resets)
        #expect(error.retryAfter != nil)
    }
}
