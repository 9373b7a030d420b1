/// Everything about a sandbox that can be chosen; all of it can be changed while it runs.
package struct SandboxOptions: Equatable, Sendable {
    /// Another seed is another world of documents.
    package var seed: UInt64 = 1
    /// Where the sandbox is reached: the beginning of the image addresses in its answers.
    package var base = "http://127.0.0.1"
    package var keys = SandboxKeys()
    package var limits = SandboxLimits()
    package var quirks = SandboxQuirks()
    package var faults: [FaultRule] = []

    package init() {}
}

/// The keys that the sandbox accepts.
package struct SandboxKeys: Equatable, Sendable {
    /// REST keys: 32 lower-case hexadecimal digits.
    package var kakao = ["0123456789abcdef0123456789abcdef"]
    package var naver = [KeyPair(id: "sandboxNaverId000001", secret: "sandboxNav")]
    package var naverHub = [KeyPair(id: "sandboxhub", secret: "sandboxHubSecret0123456789abcdef01234567")]
    /// API keys: `AIza` and 35 more characters.
    package var google = ["AIzaSandbox0123456789abcdefghijklmnopqr"]
    /// Endpoints that Naver's application has not been given (`blog`, `news`, …).
    package var naverDisabled: [String] = []

    package struct KeyPair: Equatable, Sendable {
        package var id: String
        package var secret: String

        package init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }
    }

    package init() {}
}

/// How many calls are let through, as the upstreams do; nil lets any number through.
package struct SandboxLimits: Equatable, Sendable {
    package var kakaoPerDayTotal: Int? = 50_000
    package var kakaoPerDayEach: Int? = 30_000
    package var kakaoPerMonth: Int? = 3_000_000
    package var kakaoPerSecond: Int?
    package var naverPerDay: Int? = 25_000
    package var naverPerSecond: Int? = 10
    package var googlePerDay: Int? = 1_000
    package var googlePerMinute: Int? = 100
    package var itunesPerMinute: Int? = 20
    /// Three times as many when the caller says who it is.
    package var openlibraryPerSecond: Int? = 1
    package var wikipediaPerSecond: Int?
    package var hackernewsPerHour: Int? = 10_000

    package init() {}

    /// Lets everything through, for measurements.
    package static var none: SandboxLimits {
        var limits = SandboxLimits()
        for (_, path) in names { limits[keyPath: path] = nil }
        return limits
    }

    static let names: [(name: String, path: any WritableKeyPath<SandboxLimits, Int?> & Sendable)] = [
        ("kakaoPerDayTotal", \.kakaoPerDayTotal), ("kakaoPerDayEach", \.kakaoPerDayEach),
        ("kakaoPerMonth", \.kakaoPerMonth), ("kakaoPerSecond", \.kakaoPerSecond),
        ("naverPerDay", \.naverPerDay), ("naverPerSecond", \.naverPerSecond),
        ("googlePerDay", \.googlePerDay), ("googlePerMinute", \.googlePerMinute),
        ("itunesPerMinute", \.itunesPerMinute), ("openlibraryPerSecond", \.openlibraryPerSecond),
        ("wikipediaPerSecond", \.wikipediaPerSecond), ("hackernewsPerHour", \.hackernewsPerHour),
    ]
}
