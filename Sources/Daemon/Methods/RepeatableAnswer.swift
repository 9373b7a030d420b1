import Engine
import EventLoop

/// An answer that later askers with the same parameters may have, as long as what it was built from is good.
struct RepeatableAnswer {
    let template: AnswerTemplate
    let leases: [ValidityToken]
    let pageCount: Int
    let validUntil: Instant
}
