import EventLoop
import SearchModel
import TestSupport
import Testing

@testable import Upstream

/// Sources whose word that a quota is used up may mean as well that they were asked too fast.
struct DoubtedQuotaTests {
    private static let account = "quotas: [{ name: \"a-day\", limit: 1000, per: \"day\" }],"
    /// Both a time to ask again and the end of the day.
    private static let doubtful = ScriptedFetcher.Answer(
        afterSending: .milliseconds(50),
        outcome: .failure(
            SearchError(
                .quotaExhausted,
                "the limit has been exceeded",
                retryable: false,
                retryAfter: .seconds(5),
                resetsAt: "2024-03-10T00:00:00Z"
            )
        )
    )

    /// Asks as often as it may, from an hour after midnight on; the last refusal, and how many calls there were.
    private static func askAllDay(
        account: String = account,
        _ script: @escaping @Sendable (PageKey, Int) -> ScriptedFetcher.Answer
    ) throws -> (refusal: SearchError?, begun: [Instant]) {
        try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: account, script: script)
            let begun = Locked<[Instant]>([])
            try await world.sleep(.seconds(3600))
            var (number, last) = (0, SearchError?.none)
            while loop.now < at(.seconds(80_000)), number < 20_000 {
                let before = world.fetcher.calls.begun.count
                let startedAt = loop.now
                let error = await world.fetch(page: number).error
                if world.fetcher.calls.begun.count > before { begun.withLock { $0.append(startedAt) } }
                number += 1
                last = error ?? last
                try await world.sleep(error?.retryAfter ?? .seconds(60))
            }
            return (last, begun.withLock { $0 })
        }
    }

    @Test func `it is asked again soon, then ever later, and is believed in the end`() throws {
        let (refusal, begun) = try Self.askAllDay { _, _ in Self.doubtful }
        #expect(begun.count == LimitTable.doubtsMax + 1)
        let gaps = zip(begun, begun.dropFirst()).map { $0.duration(to: $1) }
        #expect(gaps.allSatisfy { $0 >= .seconds(5) && $0 < .seconds(66) })
        #expect(gaps.last.map { $0 >= .seconds(64) } == true)
        #expect(refusal?.kind == .quotaExhausted)
        #expect(refusal?.resetsAt == "2024-03-10T00:00:00Z")
    }

    @Test func `who was only too fast goes on after a few seconds`() throws {
        let (_, begun) = try Self.askAllDay { _, call in
            call.isMultiple(of: 20) ? Self.doubtful : .page(page("a.one", [1]))
        }
        // Once a minute, until a tenth is left by our own count.
        #expect(begun.count == 901)
        let gaps = zip(begun, begun.dropFirst()).map { $0.duration(to: $1) }
        #expect(gaps.allSatisfy { $0 < .seconds(66) })
    }

    @Test func `where the ledger knows of little left it is believed at once`() throws {
        let ten = "quotas: [{ name: \"a-day\", limit: 10, per: \"day\" }],"
        let (refusal, begun) = try Self.askAllDay(account: ten) { _, call in
            call < 8 ? .page(page("a.one", [1])) : Self.doubtful
        }
        #expect(begun.count == 9)
        #expect(refusal?.kind == .quotaExhausted)
        #expect(refusal?.resetsAt == "2024-03-10T00:00:00Z")
    }
}
