import EventLoop
import RPC

/// The channels of one connection: which request is the newest of each, and how long a new one holds still.
///
/// A newer request ends an older one; an identical one takes over its work instead. Requests that follow each other fast
/// without a debounce get one: each holds still until nothing newer has come. Pure.
///
/// Invariant: a channel without a request in flight is remembered only for the time of its last one's coming.
struct Channels {
    /// How long a request without a debounce of its own holds still, if another came on its channel within that time.
    static let settling = Duration.milliseconds(150)
    /// How many channels are remembered; beyond, those without a request in flight are forgotten.
    static let rememberedMax = SessionRequests.countMax

    enum Claimed: Equatable {
        /// Its work begins, at once or at an instant; an older request ends.
        case begins(at: Instant?, ends: RequestID?)
        /// The work of an older request is now its own; if that has not begun, it begins at the instant.
        case takesOver(RequestID, at: Instant)
    }

    private struct Channel {
        var lastAt: Instant
        var newest: RequestID?
        var identity: ChannelClaim.Identity?
    }

    private var channels: [String: Channel] = [:]

    var count: Int { channels.count }

    /// A request comes on a channel, and is its newest from now on.
    mutating func claimed(_ claim: ChannelClaim, by id: RequestID, now: Instant) -> Claimed {
        let older = channels[claim.name]
        if older == nil, channels.count >= Self.rememberedMax { channels = channels.filter { $0.value.newest != nil } }
        channels[claim.name] = Channel(lastAt: now, newest: id, identity: claim.identity)
        let pause = pause(of: claim, after: older?.lastAt, now: now)
        if let newest = older?.newest, let identity = claim.identity, identity == older?.identity {
            return .takesOver(newest, at: now.advanced(by: pause))
        }
        return .begins(at: pause > .zero ? now.advanced(by: pause) : nil, ends: older?.newest)
    }

    /// A request has its answer.
    mutating func ended(_ id: RequestID, on name: String) {
        guard channels[name]?.newest == id else { return }
        channels[name]?.newest = nil
        channels[name]?.identity = nil
    }

    private func pause(of claim: ChannelClaim, after last: Instant?, now: Instant) -> Duration {
        if let debounce = claim.debounce { return debounce }
        guard claim.mayCost, let last, last.duration(to: now) < Self.settling else { return .zero }
        return Self.settling
    }
}
