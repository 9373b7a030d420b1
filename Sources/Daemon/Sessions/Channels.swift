import EventLoop
import RPC

/// The channel of a request.
///
/// The request ends older requests on its channel.
struct ChannelClaim: Sendable {
    static let nameBytesMax = 64

    let name: String
    var debounce: Duration?
    /// False if the answer is in memory, or if only local data is searched.
    var mayCallSources = true
}

/// The channels of a connection.
///
/// A new request on a channel ends the older request.
struct Channels {
    static let rememberedMax = 256

    private struct Channel {
        var pace = TypingPace()
        var newest: RequestID?
    }

    private var channels: [String: Channel] = [:]

    var count: Int { channels.count }

    /// Returns the start time of the request's work (nil means now), and the older request to end.
    mutating func claim(_ claim: ChannelClaim, by id: RequestID, now: Instant) -> (beginsAt: Instant?, ends: RequestID?)
    {
        let older = channels[claim.name]?.newest
        let settling = keystroke(on: claim.name, mayCallSources: claim.mayCallSources, at: now)
        channels[claim.name]?.newest = id
        let pause = claim.debounce ?? settling
        return (pause > .zero ? now.advanced(by: pause) : nil, older)
    }

    mutating func answered(on name: String, now: Instant) -> RequestID? {
        _ = keystroke(on: name, mayCallSources: false, at: now)
        defer { channels[name]?.newest = nil }
        return channels[name]?.newest
    }

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

/// Decides how long a search waits for the next keystroke.
struct TypingPace: Equatable, Sendable {
    static let waitMin = Duration.milliseconds(150)
    static let wordPause = Duration.milliseconds(450)

    private var lastAt: Instant?
    private var longest = Duration.zero
    private var beginsAt: Instant?
    private var hasBegun = false

    /// Returns zero for the first keystroke of a word, or if no source is called.
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
