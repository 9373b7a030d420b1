import EventLoop
import RPC

/// The use of a channel by a request.
struct ChannelClaim: Sendable {
    static let nameBytesMax = 64

    let name: String
    /// How long the request asks to wait; nil if it has no such member.
    var debounce: Duration?
    /// False if the answer is in memory, or only local data is searched.
    var mayCallSources = true
}

/// The channels of one connection: the newest request of each, and how long a new one waits; pure.
///
/// A newer request ends an older one. Requests at the pace of typing wait for the next keystroke, unless they set a
/// debounce.
struct Channels {
    /// Above this number, channels without a request in flight are forgotten.
    static let rememberedMax = 256

    private struct Channel {
        var pace = TypingPace()
        var newest: RequestID?
    }

    private var channels: [String: Channel] = [:]

    var count: Int { channels.count }

    /// Makes a request the newest of its channel.
    ///
    /// - Returns: When its work begins (nil for at once), and the older request that ends.
    mutating func claim(_ claim: ChannelClaim, by id: RequestID, now: Instant) -> (beginsAt: Instant?, ends: RequestID?)
    {
        let older = channels[claim.name]?.newest
        let settling = keystroke(on: claim.name, mayCallSources: claim.mayCallSources, at: now)
        channels[claim.name]?.newest = id
        let pause = claim.debounce ?? settling
        return (pause > .zero ? now.advanced(by: pause) : nil, older)
    }

    /// Records a request that is answered at once; returns the older request that ends.
    mutating func answered(on name: String, now: Instant) -> RequestID? {
        _ = keystroke(on: name, mayCallSources: false, at: now)
        defer { channels[name]?.newest = nil }
        return channels[name]?.newest
    }

    /// Records that a request has its answer.
    mutating func ended(_ id: RequestID, on name: String) {
        if channels[name]?.newest == id { channels[name]?.newest = nil }
    }

    private mutating func keystroke(on name: String, mayCallSources: Bool, at now: Instant) -> Duration {
        if channels[name] == nil, channels.count >= Self.rememberedMax {
            channels = channels.filter { $0.value.newest != nil }
        }
        return channels[name, default: Channel()].pace.recordKeystroke(at: now, mayCallSources: mayCallSources)
    }
}

/// How long the search of a keystroke waits: until the next key is expected, at the pace of the earlier keys; pure.
///
/// For keys at most `wordPause` apart, at most two searches start: one where the pace changed, and the last.
struct TypingPace: Equatable, Sendable {
    /// The shortest wait: fast typing is uneven.
    static let waitMin = Duration.milliseconds(150)
    /// A longer pause ends a word.
    static let wordPause = Duration.milliseconds(450)

    private var lastAt: Instant?
    /// The longest time between two keys of this word.
    private var longest = Duration.zero
    /// When the search of the latest keystroke starts, unless another key arrives first.
    private var beginsAt: Instant?
    /// Whether a search has begun in the middle of this word.
    private var hasBegun = false

    /// Returns how long the search of this keystroke waits; zero if it can't cost a call.
    ///
    /// The first key of a word does not wait: it may be a whole query that was pasted.
    mutating func recordKeystroke(at now: Instant, mayCallSources: Bool) -> Duration {
        let gap = lastAt.map { $0.duration(to: now) } ?? .seconds(Int64.max)
        let isFirst = gap > Self.wordPause
        if isFirst { self = TypingPace() } else { longest = max(longest, gap) }
        if let beginsAt, beginsAt <= now { hasBegun = true }
        lastAt = now
        beginsAt = nil
        guard mayCallSources, !isFirst else { return .zero }
        let wait = hasBegun ? Self.wordPause : min(max(longest * 3 / 2, Self.waitMin), Self.wordPause)
        beginsAt = now.advanced(by: wait)
        return wait
    }
}
