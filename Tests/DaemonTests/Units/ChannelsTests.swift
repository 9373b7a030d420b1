import EventLoop
import JSON
import RPC
import Testing

@testable import Daemon

/// Which request a channel ends, hands over or holds still.
@Suite struct ChannelsTests {
    private static func at(_ milliseconds: Int) -> Instant {
        Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    private static func id(_ number: Int) -> RequestID {
        RequestID(text: Array("\(number)".utf8), hasEscapes: false)
    }

    private static func claim(
        _ query: String,
        debounce: Int? = nil,
        mayCost: Bool = true,
        _ others: JSONValue = [:]
    ) -> ChannelClaim {
        ChannelClaim(
            name: "typing",
            debounce: debounce.map { .milliseconds($0) },
            mayCost: mayCost,
            identity: ChannelClaim.Identity(others, query: query)
        )
    }

    @Test func `the first request begins at once, one that comes soon after holds still`() {
        var channels = Channels()
        #expect(channels.claimed(Self.claim("a"), by: Self.id(1), now: Self.at(0)) == .begins(at: nil, ends: nil))
        let soon = channels.claimed(Self.claim("ab"), by: Self.id(2), now: Self.at(100))
        #expect(soon == .begins(at: Self.at(250), ends: Self.id(1)))
        let later = channels.claimed(Self.claim("abc"), by: Self.id(3), now: Self.at(551))
        #expect(later == .begins(at: nil, ends: Self.id(2)))
    }

    @Test func `what costs nothing never holds still`() {
        var channels = Channels()
        _ = channels.claimed(Self.claim("a"), by: Self.id(1), now: Self.at(0))
        let local = channels.claimed(Self.claim("고ㅇ", mayCost: false), by: Self.id(2), now: Self.at(80))
        #expect(local == .begins(at: nil, ends: Self.id(1)))
        // But whoever comes after it does.
        let next = channels.claimed(Self.claim("고야"), by: Self.id(3), now: Self.at(160))
        #expect(next == .begins(at: Self.at(310), ends: Self.id(2)))
    }

    @Test(arguments: [0, 40, 500]) func `a debounce of its own is what counts`(debounce: Int) {
        var channels = Channels()
        let expected = debounce == 0 ? nil : Self.at(debounce)
        let first = channels.claimed(Self.claim("a", debounce: debounce), by: Self.id(1), now: Self.at(0))
        #expect(first == .begins(at: expected, ends: nil))
        let second = channels.claimed(Self.claim("b", debounce: debounce), by: Self.id(2), now: Self.at(0))
        #expect(second == .begins(at: expected, ends: Self.id(1)))
    }

    @Test func `an identical request takes over, and is the newest then`() {
        var channels = Channels()
        _ = channels.claimed(Self.claim("a", ["limit": 3]), by: Self.id(1), now: Self.at(0))
        let same = channels.claimed(Self.claim("a", debounce: 50, ["limit": 3]), by: Self.id(2), now: Self.at(80))
        #expect(same == .takesOver(Self.id(1), at: Self.at(130)))
        // The older is answered without the channel's noticing.
        channels.ended(Self.id(1), on: "typing")
        let other = channels.claimed(Self.claim("a", ["limit": 4]), by: Self.id(3), now: Self.at(1000))
        #expect(other == .begins(at: nil, ends: Self.id(2)))
    }

    @Test func `one that is answered at once ends the older, and counts as a keystroke`() {
        var channels = Channels()
        _ = channels.claimed(Self.claim("a"), by: Self.id(1), now: Self.at(0))
        #expect(channels.answered(on: "typing", now: Self.at(200)) == Self.id(1))
        #expect(channels.answered(on: "typing", now: Self.at(200)) == nil)
        let next = channels.claimed(Self.claim("ab"), by: Self.id(2), now: Self.at(300))
        #expect(next == .begins(at: Self.at(600), ends: nil))
    }

    @Test func `one that has its answer is neither ended nor taken over`() {
        var channels = Channels()
        _ = channels.claimed(Self.claim("a"), by: Self.id(1), now: Self.at(0))
        channels.ended(Self.id(1), on: "typing")
        let again = channels.claimed(Self.claim("a"), by: Self.id(2), now: Self.at(1000))
        #expect(again == .begins(at: nil, ends: nil))
    }

    @Test func `requests are identical when all but their places on the channel is`() {
        let one = ChannelClaim.Identity(["query": "a ", "limit": 3, "channel": "x", "sources": ["b"]], query: "a")
        #expect(one == ChannelClaim.Identity(["sources": ["b"], "debounce": 9, "limit": 3, "query": "a"], query: "a"))
        #expect(one != ChannelClaim.Identity(["sources": ["b"], "limit": 3, "query": "a "], query: "b"))
        #expect(one != ChannelClaim.Identity(["sources": ["c"], "limit": 3, "query": "a"], query: "a"))
        #expect(one != ChannelClaim.Identity(["sources": ["b"], "limit": 3, "raw": true, "query": "a"], query: "a"))
    }

    @Test func `channels without a request are forgotten when there are too many`() {
        var channels = Channels()
        for number in 0..<Channels.rememberedMax + 1 {
            _ = channels.claimed(ChannelClaim(name: "\(number)"), by: Self.id(number), now: Self.at(0))
            if number > 0 { channels.ended(Self.id(number), on: "\(number)") }
            if number == Channels.rememberedMax - 1 { #expect(channels.count == Channels.rememberedMax) }
        }
        #expect(channels.count == 2)
    }
}
