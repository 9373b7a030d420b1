import SearchModel
import Testing

@testable import Client

struct SourceTroublesTests {
    /// 2024-03-09T22:00:00+09:00.
    private let now: Int64 = 1_709_989_200

    private func lines(_ errors: [(String?, ClientError)]) -> [String] {
        var troubles = SourceTroubles(clock: LocalClock(now: now, zone: .fixed(hours: 9)))
        for (source, error) in errors { troubles.add(error, of: source) }
        return troubles.errors.map(FailureText.line)
    }

    private func exhausted(_ source: String, until reset: String?) -> ClientError {
        var error = ClientError(
            .init(.quotaExhausted),
            "\(source) has said that the quota is used up",
            hint: "Wait until the quota begins anew",
            retryAfter: .seconds(10_800)
        )
        error.resetsAt = reset
        return error
    }

    @Test func `an account whose quota is used up is one line, in local time`() {
        let sources = ["naver.blog", "naver.news", "naver.cafe"]
        let errors = sources.map { ($0 as String?, exhausted($0, until: "2024-03-09T16:00:00Z")) }
        #expect(lines(errors) == ["searchctl: naver (3 sources): quota used up until 01:00."])
        let far = exhausted("kakao.web", until: "2024-03-10T15:30:00Z")
        #expect(lines([("kakao.web", far)]) == ["searchctl: kakao.web: quota used up until 2024-03-11 00:30."])
    }

    @Test func `the same cause of several accounts is one line that names or counts them all`() {
        let sources = ["kakao.web", "kakao.blog", "itunes.app"]
        let errors = sources.map { source in
            (
                source as String?,
                ClientError(.init(.unavailable), "\(source) can't be reached", hint: "Try again later.")
            )
        }
        #expect(lines(errors) == ["searchctl: kakao (2 sources), itunes.app: can't be reached. Try again later."])
        let refused = ["kakao.web", "itunes.app"].map { (source: String) -> (String?, ClientError) in
            (source, ClientError(.init(.unavailable), "\(source): no connection to host: refused"))
        }
        #expect(lines(refused) == ["searchctl: kakao.web, itunes.app: no connection to host: refused."])
    }

    @Test func `names of servers that can't be resolved are one cause, and a single one is named`() {
        func error(_ host: String) -> ClientError {
            ClientError(.init(.unavailable), "the name \(host) can't be resolved")
        }
        let one: (String?, ClientError) = ("itunes.app", error("itunes.example"))
        #expect(lines([one]) == ["searchctl: itunes.app: the name itunes.example can't be resolved."])
        #expect(
            lines([one, ("wikipedia.ko", error("ko.wikipedia.example"))]) == [
                "searchctl: itunes.app, wikipedia.ko: the names of their servers can't be resolved. "
                    + "Check this machine's network and its name server."
            ]
        )
    }

    @Test func `a machine that is offline is told once, without its sources`() {
        let errors = ["kakao.web", "naver.blog"].map { source in
            var error = ClientError(
                .init(.unavailable),
                "\(source): no network",
                hint: "Check it",
                retryAfter: .seconds(1)
            )
            error.isOffline = true
            return (source as String?, error)
        }
        #expect(lines(errors) == ["searchctl: this machine is offline."])
    }

    @Test func `no source is named twice, and the first cause counts`() {
        let error = ClientError(.init(.timeout), "no answer before the timeout")
        let other = ClientError(.init(.badResponse), "a.b answered nonsense")
        #expect(
            lines([("a.b", error), ("a.b", other), ("a.b", error)]) == ["searchctl: a.b: no answer before the timeout."]
        )
    }

    @Test func `waits that differ are one cause, with the longest`() {
        let errors = [("a.b", 800), ("a.c", 1200)].map { source, wait in
            (
                source as String?,
                ClientError(.init(.rateLimited), "\(source) is slow", hint: "Wait", retryAfter: .milliseconds(wait))
            )
        }
        #expect(lines(errors) == ["searchctl: a (2 sources): rate limit reached. It may work again in 1.2 s."])
    }
}
