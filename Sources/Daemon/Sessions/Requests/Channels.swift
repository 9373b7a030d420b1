import EventLoop
import RPC

/// The channels of one connection: which request is the newest of each, and how long a new one holds still.
///
/// A newer request ends an older one; an identical one takes over its work instead. Requests that follow each other as
/// keystrokes do hold still as their pace suggests, unless they ask for a debounce of their own. Pure.
///
/// Invariant: a channel without a request in flight is remembered only for the time of its last one's coming.
struct Channels {
    /// How many channels are remembered; beyond, those without a request in flight are forgotten.
    static let rememberedMax = 256

    enum Claimed: Equatable {
        /// Its work begins, at once or at an instant; an older request ends.
        case begins(at: Instant?, ends: RequestID?)
        /// The work of an older request is now its own; if that has not begun, it begins at the instant.
        case takesOver(RequestID, at: Instant)
    }

    private struct Channel {
        var pace = TypingPace()
        var newest: RequestID?
        var identity: ChannelClaim.Identity?
    }

    private var channels: [String: Channel] = [:]

    var count: Int { channels.count }

    /// A request comes on a channel, and is its newest from now on.
    mutating func claimed(_ claim: ChannelClaim, by id: RequestID, now: Instant) -> Claimed {
        let older = channels[claim.name]
        let settling = struck(on: claim.name, mayCost: claim.mayCost, at: now)
        channels[claim.name]?.newest = id
        channels[claim.name]?.identity = claim.identity
        let pause = claim.debounce ?? settling
        if let newest = older?.newest, let identity = claim.identity, identity == older?.identity {
            return .takesOver(newest, at: now.advanced(by: pause))
        }
        return .begins(at: pause > .zero ? now.advanced(by: pause) : nil, ends: older?.newest)
    }

    /// A request came that is answered already; the older one that ends by it.
    mutating func answered(on name: String, now: Instant) -> RequestID? {
        _ = struck(on: name, mayCost: false, at: now)
        let older = channels[name]?.newest
        channels[name]?.newest = nil
        channels[name]?.identity = nil
        return older
    }

    /// A request has its answer.
    mutating func ended(_ id: RequestID, on name: String) {
        guard channels[name]?.newest == id else { return }
        channels[name]?.newest = nil
        channels[name]?.identity = nil
    }

    /// A request came on a channel; how long it holds still without a debounce of its own.
    private mutating func struck(on name: String, mayCost: Bool, at now: Instant) -> Duration {
        if channels[name] == nil, channels.count >= Self.rememberedMax {
            channels = channels.filter { $0.value.newest != nil }
        }
        return channels[name, default: Channel()].pace.struck(at: now, mayCost: mayCost)
    }
}
