import EventLoop
import SearchModel
import Testing

@testable import Daemon

@Suite("When saved items are looked up again")
struct RefreshPlanTests {
    private let books: SourceName
    private let films: SourceName

    init() throws {
        books = try #require(SourceName("a.books"))
        films = try #require(SourceName("b.films"))
    }

    private func instant(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `one item of a source at a time, and on as soon as it is done`() {
        var plan = RefreshPlan()
        #expect(plan.wakeAt == nil && plan.due(at: instant(0)) { _ in nil } == [])
        plan.queued([films, books], at: instant(1))
        #expect(plan.wakeAt == instant(1))
        #expect(plan.due(at: instant(1)) { _ in nil } == [books, films])
        #expect(plan.isRunning && plan.wakeAt == nil && plan.due(at: instant(1)) { _ in nil } == [])
        plan.ended(books, .done, at: instant(2))
        #expect(plan.due(at: instant(2)) { _ in nil } == [books])
        plan.ended(books, .empty, at: instant(3))
        plan.ended(films, .empty, at: instant(3))
        #expect(!plan.isRunning && plan.wakeAt == nil)
    }

    @Test func `a source with nothing to spare is asked once it has, and looked at within ten minutes`() {
        var plan = RefreshPlan()
        plan.queued([books], at: instant(0))
        #expect(plan.due(at: instant(0)) { _ in .seconds(30) } == [])
        #expect(plan.wakeAt == instant(30) && plan.due(at: instant(29)) { _ in nil } == [])
        #expect(plan.due(at: instant(30)) { _ in .seconds(86_400) } == [])
        #expect(plan.wakeAt == instant(630))
        #expect(plan.due(at: instant(630)) { _ in nil } == [books])
    }

    @Test func `after failures it waits longer and longer, or as long as the source wants`() {
        var plan = RefreshPlan()
        plan.queued([books], at: instant(0))
        var now: Int64 = 0
        for wait: Int64 in [5, 10, 20, 40] {
            #expect(plan.due(at: instant(now)) { _ in nil } == [books])
            plan.ended(books, .refused(retryAfter: nil), at: instant(now))
            now += wait
            #expect(plan.wakeAt == instant(now))
        }
        #expect(plan.due(at: instant(now)) { _ in nil } == [books])
        plan.ended(books, .refused(retryAfter: .seconds(100)), at: instant(now))
        #expect(plan.wakeAt == instant(now + 100))
        plan.queued([books], at: instant(now + 1))
        #expect(plan.due(at: instant(now + 1)) { _ in nil } == [books])
        plan.ended(books, .done, at: instant(now + 2))
        #expect(plan.wakeAt == instant(now + 2))
    }

    @Test func `what is queued while a source turns out to have nothing left is not forgotten`() {
        var plan = RefreshPlan()
        plan.queued([books], at: instant(0))
        #expect(plan.due(at: instant(0)) { _ in nil } == [books])
        plan.queued([books], at: instant(1))
        plan.ended(books, .empty, at: instant(2))
        #expect(plan.due(at: instant(2)) { _ in nil } == [books])
        plan.ended(books, .empty, at: instant(3))
        #expect(plan.wakeAt == nil)
    }
}
