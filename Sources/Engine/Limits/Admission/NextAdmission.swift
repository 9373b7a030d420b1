package import EventLoop

/// When a source may be asked next.
package enum NextAdmission: Equatable, Sendable {
    /// At once; or there is no use in waiting, and whoever asks is turned away with a reason.
    case now
    case at(Instant)
    /// When a call to it, or to another source of its account, has ended.
    case afterCall
}
