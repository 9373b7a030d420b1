import EventLoop
import SearchModel
import TestSupport
import Testing

@testable import Upstream

struct LimitNewsTests {
    private let source = sourceName("a.one")
    private let key = QuotaKey(owner: "a", name: "a-day")
    private let usedUp = SearchError(
        .quotaExhausted,
        "no more for 고양이",
        retryable: false,
        resetsAt: "2024-03-10T00:00:00Z"
    )

    private func figures(left: Int) -> QuotaFigures {
        QuotaFigures(
            name: "a-day",
            limit: 100,
            used: 100 - left,
            left: left,
            resetsAt: PublishedDate(epochSeconds: 1_710_028_800, offsetMinutes: 0, precision: .second),
            forecast: nil
        )
    }

    @Test func `a breaker tells when it opens and when it closes, and not that it tries`() {
        var news = LimitNews()
        let until = at(.milliseconds(2500))
        #expect(
            news.ended(source, nil, breaker: .open(until: until), at: at(.zero)) == [
                StateChange(
                    .breaker,
                    of: source,
                    "a.one is left alone for 2 s: too many calls failed",
                    isTrouble: true
                )
            ]
        )
        #expect(news.ended(source, nil, breaker: .halfOpen, at: at(.zero)).isEmpty)
        #expect(news.ended(source, nil, breaker: nil, at: at(.zero)).isEmpty)
        #expect(
            news.ended(source, nil, breaker: .closed, at: at(.zero)) == [
                StateChange(.breaker, of: source, "calls to a.one have resumed", isTrouble: false)
            ]
        )
    }

    @Test func `a quota tells once that it is used up, and once that it has calls left again`() {
        var news = LimitNews()
        #expect(news.used(figures(left: 16), key).isEmpty)
        let message = "quota a-day of a is used up until 2024-03-10T00:00:00Z: 100 calls"
        #expect(news.used(figures(left: 0), key) == [StateChange(.quota, message, isTrouble: true)])
        #expect(news.used(figures(left: 0), key).isEmpty)
        #expect(
            news.used(figures(left: 1), key) == [
                StateChange(.quota, "quota a-day of a has calls left again", isTrouble: false)
            ]
        )
        #expect(news.used(figures(left: 1), key).isEmpty)
    }

    @Test func `a source that says so itself is told once, without what was searched for`() {
        var news = LimitNews()
        let told = news.ended(source, usedUp, breaker: nil, at: at(.zero))
        #expect(told.map(\.message) == ["a.one says that its quota is used up until 2024-03-10T00:00:00Z"])
        #expect(news.ended(source, usedUp, breaker: nil, at: at(.zero)).isEmpty)
        #expect(news.ended(source, nil, breaker: nil, at: at(.zero)).map(\.isTrouble) == [false])
        #expect(news.ended(source, nil, breaker: nil, at: at(.zero)).isEmpty)
    }
}
