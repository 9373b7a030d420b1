import Catalogue
import Sandbox
import SearchModel
import Testing

/// Keys, quotas and rates as the sources really check them, over HTTP.
@Suite struct RefusalsOverHTTPTests {
    /// A limit of the sandbox's that is used up from the beginning, and what is told.
    struct LimitRow: Sendable, CustomTestStringConvertible {
        let source: String
        let change: @Sendable (inout SandboxOptions) -> Void
        let kind: String
        let seconds: Int64
        var resetsAt: String?
        var isHub = false
        let testDescription: String

        init(
            _ source: String,
            _ name: String,
            _ limit: any WritableKeyPath<SandboxLimits, Int?> & Sendable,
            _ kind: String,
            seconds: Int64,
            until resetsAt: String? = nil,
            isHub: Bool = false,
            quirk: (any WritableKeyPath<SandboxQuirks, Bool> & Sendable)? = nil
        ) {
            self.source = source
            change = {
                $0.limits[keyPath: limit] = 0
                if let quirk { $0.quirks[keyPath: quirk] = true }
            }
            (self.kind, self.seconds, self.resetsAt, self.isHub) = (kind, seconds, resetsAt, isHub)
            testDescription = "\(source), \(name)" + (isHub ? " over the hub" : "")
        }
    }

    private static let kakaoDay = "2026-11-22T00:00:00+09:00"
    private static let naverDay = "2026-11-22T01:00:00+09:00"
    private static let googleDay = "2026-11-21T00:00:00-08:00"

    static let limits = [
        LimitRow("kakao.web", "day", \.kakaoPerDayTotal, "quotaExhausted", seconds: 5, until: kakaoDay),
        LimitRow("kakao.book", "day of books", \.kakaoPerDayEach, "quotaExhausted", seconds: 5, until: kakaoDay),
        LimitRow("kakao.cafe", "month", \.kakaoPerMonth, "quotaExhausted", seconds: 5, until: kakaoDay),
        LimitRow(
            "kakao.image",
            "day, by the documentation",
            \.kakaoPerDayTotal,
            "quotaExhausted",
            seconds: 5,
            until: kakaoDay,
            quirk: \SandboxQuirks.kakaoQuotaIs400
        ),
        LimitRow("naver.blog", "day", \.naverPerDay, "quotaExhausted", seconds: 46_800, until: naverDay),
        LimitRow("naver.blog", "day", \.naverPerDay, "quotaExhausted", seconds: 46_800, until: naverDay, isHub: true),
        LimitRow("naver.kin", "second", \.naverPerSecond, "rateLimited", seconds: 1),
        LimitRow("naver.kin", "second", \.naverPerSecond, "rateLimited", seconds: 5, isHub: true),
        LimitRow("google.books", "day", \.googlePerDay, "quotaExhausted", seconds: 18_000, until: googleDay),
        LimitRow("google.books", "minute", \.googlePerMinute, "rateLimited", seconds: 10),
        LimitRow("itunes.app", "minute", \.itunesPerMinute, "rateLimited", seconds: 60),
        LimitRow(
            "itunes.movie",
            "minute, as 429",
            \.itunesPerMinute,
            "rateLimited",
            seconds: 60,
            quirk: \SandboxQuirks.itunesThrottleIs429
        ),
        LimitRow("openlibrary.books", "second", \.openlibraryPerSecond, "rateLimited", seconds: 2),
        LimitRow("wikipedia.ko", "second", \.wikipediaPerSecond, "rateLimited", seconds: 1),
        LimitRow("hackernews.stories", "hour", \.hackernewsPerHour, "rateLimited", seconds: 5),
    ]

    @Test(arguments: limits)
    func `a limit that is used up is told with its end`(_ row: LimitRow) async throws {
        try await withSources(isHub: row.isHub, options: row.change) { sources in
            let error = try #require(try await sources.failure(row.source))
            #expect(error.kind.rawValue == row.kind, "\(error.message)")
            #expect(error.retryAfter == .seconds(row.seconds))
            #expect(error.resetsAt == row.resetsAt)
        }
    }

    @Test(arguments: [("kakao.blog", false), ("naver.blog", false), ("naver.blog", true), ("google.books", false)])
    func `a key that the source does not know is refused, and not repeated`(name: String, isHub: Bool) async throws {
        // Of the right form for Kakao, and of a wrong one.
        for key in [randomKey(), "not-of-the-form-\(randomKey())"] {
            try await withSources(
                isHub: isHub,
                access: { _, access in
                    for slot in access.secrets.keys { access.secrets[slot] = Secret(key) }
                }
            ) { sources in
                let error = try #require(try await sources.failure(name))
                #expect(error.kind == .unauthorized)
                #expect(error.hint?.contains("accounts.") == true)
                #expect(!error.message.contains(key))
            }
        }
    }

    @Test(arguments: [false, true])
    func `a search that Naver's application has not been given says where to add it`(isHub: Bool) async throws {
        try await withSources(isHub: isHub, options: { $0.keys.naverDisabled = ["kin"] }) { sources in
            let error = try #require(try await sources.failure("naver.kin"))
            #expect(error.kind == .unauthorized)
            #expect(error.hint?.contains(isHub ? "Naver Cloud console" : "developers.naver.com") == true)
            #expect(try await sources.failure("naver.blog") == nil)
        }
    }

    @Test(arguments: ["고양", "the", "The"])
    func `what Open Library would refuse is refused here, with the reason, and costs no call`(
        query: String
    ) async throws {
        try await withSources { sources in
            let error = try #require(try await sources.failure("openlibrary.books", query))
            #expect(error.kind == .invalidParams && error.path == "params.query")
            #expect(error.message.contains(query == "고양" ? "3 characters or more" : "this word alone"))
            #expect(await sources.sandbox.counts.requests() == 0)
        }
    }
}
