import EventLoop
import RPC
import SearchTestSupport
import Testing

@testable import Upstream

struct PauseTests {
    private var pause = Pause()

    @Test mutating func `a pause lasts as long as the source requested`() {
        #expect(!pause.isOn(at: at(.zero)))
        pause.asked(for: .seconds(30), because: .rateLimit, at: at(.zero))
        #expect(pause.isOn(at: at(.seconds(30)).advanced(by: .nanoseconds(-1))))
        #expect(!pause.isOn(at: at(.seconds(30))))
    }

    @Test mutating func `a running pause never becomes shorter`() {
        pause.asked(for: .seconds(30), because: .rateLimit, at: at(.zero))
        pause.asked(for: .seconds(1), because: .suspended, at: at(.seconds(2)))
        #expect(pause.until == at(.seconds(30)))
        #expect(pause.reason == .rateLimit)
        pause.asked(for: .seconds(60), because: .quotaExhausted, resetsAt: "later", at: at(.seconds(2)))
        #expect(pause.until == at(.seconds(62)))
        #expect(pause.reason == .quotaExhausted)
        #expect(pause.resetsAt == "later")
        #expect(pause.since == at(.zero))
    }

    @Test mutating func `if a source requests a pause without a time, the pause has the default length`() {
        pause.asked(for: nil, because: .rateLimit, at: at(.zero))
        #expect(pause.until == at(Pause.unspecified))
    }

    @Test mutating func `a pause has a maximum length`() {
        pause.asked(for: .seconds(-5), because: .rateLimit, at: at(.zero))
        #expect(!pause.isOn(at: at(.zero)))
        pause.asked(for: .seconds(1_000_000_000_000), because: .rateLimit, at: at(.zero))
        #expect(pause.until == at(Pause.longest))
    }

    @Test mutating func `if pauses are repeated, they become longer than requested`() {
        var now = at(.zero)
        var pauses: [Duration] = []
        for _ in 0..<12 {
            pause.asked(for: .zero, because: .rateLimit, at: now)
            pauses.append(now.duration(to: max(pause.until, now)))
            now = max(pause.until, now)
        }
        #expect(pauses.prefix(5) == [.zero, .seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(pauses.last == Pause.repeatedMax)
        pause.answered()
        pause.asked(for: .zero, because: .rateLimit, at: now)
        #expect(!pause.isOn(at: now))
    }

    @Test mutating func `if calls were in flight when a pause began, they do not make the next pause longer`() {
        for _ in 0..<10 { pause.asked(for: .seconds(1), because: .rateLimit, at: at(.zero)) }
        #expect(pause.until == at(.seconds(1)))
        pause.asked(for: .zero, because: .rateLimit, at: at(.seconds(1)))
        #expect(pause.until == at(.seconds(2)))
    }
}
