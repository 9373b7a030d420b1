import EventLoop
import JSON
import RPC
import SearchModel
import Testing

@testable import Daemon

@Suite struct RequestTableTests {
    private var table = RequestTable()

    private static func id(_ number: Int) -> RequestID {
        RequestID(text: Array("\(number)".utf8), hasEscapes: false)
    }

    private static func request(channel: String? = nil, streams: Bool = false) -> Request {
        Request(
            method: "search",
            channel: channel,
            streams: streams,
            work: { _ in .result([]) },
            bytes: 5,
            receivedAt: Instant(nanoseconds: 0)
        )
    }

    @Test mutating func `a request is known by number and id until it is removed, once`() {
        let first = table.add(Self.request(), as: Self.id(1))
        let second = table.add(Self.request(), as: Self.id(2))
        #expect(first != second && table.count == 2 && table.bytes == 10)
        #expect(table.contains(Self.id(1)) && table.id(of: second) == Self.id(2))
        let (removed, again) = (table.remove(Self.id(1)), table.remove(Self.id(1)))
        #expect(removed?.number == first && again == nil && table.bytes == 5)
        #expect(!table.contains(Self.id(1)) && table.id(of: first) == nil && table[first] == nil)
        #expect(Array(table.allIDs) == [Self.id(2)])
    }

    @Test mutating func `a request that is taken over keeps its number under the newer id`() {
        let number = table.add(Self.request(), as: Self.id(1))
        let (renamed, unknown) = (table.rename(Self.id(1), to: Self.id(2)), table.rename(Self.id(7), to: Self.id(8)))
        #expect(renamed == number && unknown == nil)
        #expect(table.id(of: number) == Self.id(2) && table.count == 1)
        #expect(!table.contains(Self.id(1)))
        // The older id may be used again, and the two don't meet.
        let other = table.add(Self.request(), as: Self.id(1))
        let removed = table.remove(Self.id(2))
        #expect(removed?.number == number)
        #expect(table.id(of: other) == Self.id(1))
    }

    @Test mutating func `a request that ends frees its channel`() {
        let claim = ChannelClaim(name: "typing", identity: .init([:], query: "a"))
        let now = Instant(nanoseconds: 0)
        let first = table.claim(claim, by: Self.id(1), now: now)
        #expect(first == .begins(at: nil, ends: nil))
        _ = table.add(Self.request(channel: "typing"), as: Self.id(1))
        _ = table.remove(Self.id(1))
        let later = now.advanced(by: TypingPace.wordPause + .milliseconds(1))
        let second = table.claim(claim, by: Self.id(2), now: later)
        #expect(second == .begins(at: nil, ends: nil))
        #expect(table.channelCount == 1)
    }

    @Test mutating func `what a stream has reported is kept only for a request that may take it over`() throws {
        let source = try #require(SourceName("kakao.blog"))
        for (channel, kept) in [("typing", 1), (nil, 0)] {
            var request = Self.request(channel: channel, streams: true)
            request.note(.progress(answered: 1, asked: 2, waitingFor: []))
            request.note(.hits([], from: source, raw: false))
            #expect(request.reported.count == kept)
        }
    }

    @Test mutating func `changing a request that has ended does nothing`() {
        let number = table.add(Self.request(), as: Self.id(1))
        table.update(number) { $0.beginsAt = Instant(nanoseconds: 5) }
        #expect(table[number]?.beginsAt == Instant(nanoseconds: 5))
        _ = table.remove(Self.id(1))
        table.update(number) { $0.beginsAt = nil }
        #expect(table.isEmpty)
    }
}
