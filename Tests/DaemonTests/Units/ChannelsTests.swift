import EventLoop
import JSON
import RPC
import Testing

@testable import Daemon

@Suite struct ChannelsTests {
    private static func at(_ milliseconds: Int) -> Instant {
        Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    private static func id(_ number: Int) -> RequestID {
        RequestID(text: Array("\(number)".utf8), hasEscapes: false)
    }

    private var channels = Channels()

    /// Returns the start of the work in milliseconds (nil means at once), and the superseded request.
    private mutating func claim(
        _ number: Int,
        at milliseconds: Int,
        debounce: Int? = nil,
        mayCallSources: Bool = true
    ) -> [Int?] {
        let claim = ChannelClaim(
            name: "typing",
            debounce: debounce.map { .milliseconds($0) },
            mayCallSources: mayCallSources
        )
        let (beginsAt, ends) = channels.claim(claim, by: Self.id(number), now: Self.at(milliseconds))
        let ended = ends.flatMap { Int(String(decoding: $0.text, as: UTF8.self)) }
        return [beginsAt.map { Int($0.nanoseconds / 1_000_000) }, ended]
    }

    @Test mutating func `the first request begins at once, and an early second request supersedes it and waits`() {
        #expect(claim(1, at: 0) == [nil, nil])
        #expect(claim(2, at: 100) == [250, 1])
        #expect(claim(3, at: 551) == [nil, 2])
    }

    @Test mutating func `a request that can't call sources never waits, but the next request does`() {
        _ = claim(1, at: 0)
        #expect(claim(2, at: 80, mayCallSources: false) == [nil, 1])
        #expect(claim(3, at: 160) == [310, 2])
    }

    @Test(arguments: [0, 40, 500]) mutating func `“debounce” replaces the computed wait for the next keystroke`(
        debounce: Int
    ) {
        #expect(claim(1, at: 0, debounce: debounce) == [debounce == 0 ? nil : debounce, nil])
        #expect(claim(2, at: 0, debounce: debounce) == [debounce == 0 ? nil : debounce, 1])
    }

    @Test mutating func `a request that is answered at once supersedes the older request, and counts as a keystroke`() {
        _ = claim(1, at: 0)
        #expect(channels.answered(on: "typing", now: Self.at(200)) == Self.id(1))
        #expect(channels.answered(on: "typing", now: Self.at(200)) == nil)
        #expect(claim(2, at: 300) == [600, nil])
    }

    @Test mutating func `an answered request is not superseded`() {
        _ = claim(1, at: 0)
        channels.ended(Self.id(1), on: "typing")
        #expect(claim(2, at: 1000) == [nil, nil])
    }

    @Test mutating func `if there are too many channels, channels without a request are removed`() {
        for number in 0..<Channels.rememberedMax + 1 {
            _ = channels.claim(ChannelClaim(name: "\(number)"), by: Self.id(number), now: Self.at(0))
            if number > 0 { channels.ended(Self.id(number), on: "\(number)") }
            if number == Channels.rememberedMax - 1 { #expect(channels.count == Channels.rememberedMax) }
        }
        #expect(channels.count == 2)
    }
}
