import Engine
import EventLoop

/// An answer that later askers with the same parameters may have, as long as what it was built from is good.
struct RepeatableAnswer {
    let template: AnswerTemplate
    let leases: [Lease]
    let pageCount: Int
    let validUntil: Instant
}

/// A request's place on a channel of its connection: a newer one there ends an older one.
struct ChannelClaim: Sendable {
    static let nameBytesMax = 64

    let name: String
}
