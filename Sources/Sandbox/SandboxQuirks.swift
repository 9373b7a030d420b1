/// Which of two behaviours the sandbox shows where the real one changes, or is not known.
package struct SandboxQuirks: Equatable, Sendable {
    /// Kakao's answer to a page in range but past what can be shown: the last page again, else an empty one.
    package var kakaoRepeatsLastPage = true
    /// Kakao book counts as reachable only what it has shown so far, duplicates taken off.
    package var kakaoBookCountsShown = false
    /// Kakao's quota error as its documentation has it (400, code −10) instead of the one that is seen (429).
    package var kakaoQuotaIs400 = false
    /// Naver's and Google's totals move from call to call.
    package var totalsDrift = true
    /// A new document appears at the front of every list each so many seconds; 0: none.
    package var arrivalSeconds = 0
    /// The same each so many calls; 0: none.
    package var arrivalCalls = 0
    /// Google's pages repeat items of the page before.
    package var googleOverlaps = true
    /// Google holds back some items of a page, which is then shorter than asked though more pages follow.
    package var googleShortPages = false
    /// One in so many of Google's answers is a 503; 0: none.
    package var googleFails1In = 0
    /// Google answers an unknown volume with 503 instead of 404.
    package var googleUnknownIs503 = true
    /// Google can't tell where a caller is who names no country.
    package var googleNeedsCountry = true
    /// iTunes brings a few unrelated apps for words that nothing matches.
    package var itunesUnrelated = true
    /// iTunes throttles with 429 instead of an empty 403.
    package var itunesThrottleIs429 = false
    /// Wikipedia turns away callers without a User-Agent.
    package var wikipediaNeedsAgent = true
    /// Wikipedia marks the way on as `query-continue`, as old servers do.
    package var wikipediaOldContinue = false

    package init() {}

    static let switches: [(name: String, path: any WritableKeyPath<SandboxQuirks, Bool> & Sendable)] = [
        ("kakaoRepeatsLastPage", \.kakaoRepeatsLastPage), ("kakaoBookCountsShown", \.kakaoBookCountsShown),
        ("kakaoQuotaIs400", \.kakaoQuotaIs400), ("totalsDrift", \.totalsDrift), ("googleOverlaps", \.googleOverlaps),
        ("googleShortPages", \.googleShortPages), ("googleUnknownIs503", \.googleUnknownIs503),
        ("googleNeedsCountry", \.googleNeedsCountry), ("itunesUnrelated", \.itunesUnrelated),
        ("itunesThrottleIs429", \.itunesThrottleIs429), ("wikipediaNeedsAgent", \.wikipediaNeedsAgent),
        ("wikipediaOldContinue", \.wikipediaOldContinue),
    ]

    static let numbers: [(name: String, path: any WritableKeyPath<SandboxQuirks, Int> & Sendable)] = [
        ("arrivalSeconds", \.arrivalSeconds), ("arrivalCalls", \.arrivalCalls), ("googleFails1In", \.googleFails1In),
    ]
}
