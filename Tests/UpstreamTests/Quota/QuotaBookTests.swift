import Catalogue
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

struct QuotaBookTests {
    private let key = QuotaKey(owner: "a", name: "a-day")

    private func book(limit: Int, per period: Quota.Period = .day) -> QuotaBook {
        var book = QuotaBook()
        book.keep(counted(limit: limit, per: period).quota, as: key)
        return book
    }

    private func charge(_ book: inout QuotaBook, for user: UInt32, count: Int = 1, at wall: Int64 = noon) {
        for _ in 0..<count {
            var usage = book.entries[key]?.usage(at: wall) ?? QuotaUsage(key: key, window: 0..<1)
            usage.users[user, default: 0] += 1
            book.begin([key], for: user, at: wall)
            book.received(QuotaCharge(user: user, isAccepted: true, usages: [usage], amounts: [1]), at: wall)
        }
    }

    private func refusal(
        _ book: QuotaBook,
        for user: UInt32 = 1,
        _ priority: Priority = .interactive,
        at wall: Int64 = noon
    ) -> SearchError? {
        book.payer(sourceName("a.one"), [key], [user], CallDemand.Caller(priority: priority), at: wall).error?.error
    }

    @Test func `a used-up quota refuses calls until its period ends`() {
        var book = book(limit: 3)
        charge(&book, for: 1, count: 3)
        let refusal = refusal(book)
        #expect(refusal?.message == "a-day is used up")
        #expect(refusal?.retryAfter == .seconds(day / 2))
        #expect(refusal?.resetsAt == "2024-03-10T00:00:00Z")
        #expect(self.refusal(book, at: noon + day / 2) == nil)
    }

    @Test func `charges that are being written count as used`() {
        var book = book(limit: 2)
        charge(&book, for: 1)
        #expect(refusal(book) == nil)
        book.begin([key], for: 1, at: noon)
        #expect(refusal(book)?.message == "a-day is used up")
        #expect(book.figures(key, at: noon)?.used == 2)
        book.add(-1, to: key, for: 1)
        #expect(refusal(book) == nil)
    }

    @Test func `a single user may use a whole daily quota`() {
        var book = book(limit: 10)
        charge(&book, for: 1, count: 9)
        #expect(refusal(book) == nil)
    }

    @Test func `if another user was active in the last seven days, a user can use only half of the quota`() {
        var book = book(limit: 10)
        book.received([], ["a": [2: noon - 6 * day]])
        charge(&book, for: 1, count: 4)
        #expect(refusal(book) == nil)
        charge(&book, for: 1)
        #expect(refusal(book)?.message == "you have used your half of a-day")
        #expect(refusal(book, for: 2) == nil)
        // In the last quarter of the quota's period, nothing is reserved.
        #expect(refusal(book)?.resetsAt == "2024-03-09T18:00:00Z")
        #expect(refusal(book, at: noon + day / 4 - 1) != nil)
        #expect(refusal(book, at: noon + day / 4) == nil)
    }

    @Test func `users who were active over seven days ago, or on another account, have no reserved share`() {
        var book = book(limit: 10)
        book.received([], ["a": [2: noon - 7 * day], "b": [3: noon]])
        charge(&book, for: 1, count: 9)
        #expect(refusal(book) == nil)
    }

    @Test func `if the clock is set back, the current period continues`() throws {
        var book = book(limit: 10)
        charge(&book, for: 1, count: 4, at: noon + day)
        let figures = try #require(book.figures(key, at: noon))
        #expect(figures.used == 4 && figures.left == 6)
        #expect(figures.resetsAt.text == "2024-03-11T00:00:00Z")
    }

    @Test func `if the usage of a monthly quota is a guess, calls are refused with a command to set it`() {
        var book = book(limit: 10, per: .month)
        var usage = QuotaUsage(key: key, window: counted(limit: 10, per: .month).quota.period(at: noon))
        (usage.others, usage.isGuess) = (10, true)
        book.received([usage])
        #expect(refusal(book)?.hint?.contains("searchctl quota a-day USED") == true)
        #expect(book.figures(key, at: noon)?.isGuess == true)
    }

    @Test func `background calls leave a tenth of a quota unused`() {
        var book = book(limit: 100)
        charge(&book, for: 1, count: 90)
        #expect(refusal(book, .background)?.message.contains("reserved for interactive searches") == true)
        #expect(refusal(book) == nil)
    }

    @Test func `if a quota will be used up before its reset, the forecast says when`() {
        var book = book(limit: 100)
        #expect(book.figures(key, at: noon)?.forecast == nil)
        charge(&book, for: 1, at: noon - 600)
        charge(&book, for: 1, count: 49)
        #expect(book.figures(key, at: noon)?.forecast == nil)
        charge(&book, for: 1, count: 25)
        #expect(book.figures(key, at: noon)?.forecast?.text == "2024-03-09T16:00:00Z")
        charge(&book, for: 1, count: 25)
        #expect(book.figures(key, at: noon)?.forecast?.text == "2024-03-09T12:00:00Z")
    }

    @Test func `if the calls of a period began less than ten minutes ago, there is no forecast`() {
        var book = book(limit: 100)
        charge(&book, for: 1, count: 40, at: noon - day)
        charge(&book, for: 1, count: 40, at: noon - 599)
        charge(&book, for: 1, count: 40)
        #expect(book.figures(key, at: noon)?.forecast == nil)
    }

    @Test func `used plus remaining calls equal the limit, and before the last quarter a user gets at most half`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<50 {
            let limit = Int.random(in: 2...40, using: &random)
            var book = book(limit: limit)
            book.received([], ["a": [1: noon - day, 2: noon - day]])
            let begin = noon - day / 2
            var used: [UInt32: Int] = [:]
            for step in 0..<200 {
                let wall = begin + Int64(step) * (day - 1) / 200
                let user = UInt32.random(in: 1...2, using: &random)
                if refusal(book, for: user, at: wall) == nil {
                    charge(&book, for: user, at: wall)
                    used[user, default: 0] += 1
                }
                let figures = book.figures(key, at: wall)
                #expect(figures?.used == used.values.reduce(0, +))
                #expect((figures?.used ?? 0) + (figures?.left ?? 0) == limit)
                if wall < begin + day * 3 / 4 {
                    #expect(used.values.allSatisfy { $0 * 2 < limit + 2 })
                }
            }
            #expect(used.values.reduce(0, +) == limit)
        }
    }
}
