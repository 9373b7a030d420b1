import EventLoop
package import JSON
package import SearchModel

/// Why a source keeps a stream waiting, as it happens.
package enum WaitNotice: Equatable, Sendable {
    case queued(CallEvent.WaitReason, wait: Duration)
    case retrying(attempt: Int)

    /// Nil for what keeps nobody waiting.
    init?(_ event: CallEvent) {
        switch event {
        case .queued(let reason, let wait): self = .queued(reason, wait: wait)
        case .retrying(let attempt, _): self = .retrying(attempt: attempt)
        case .joined, .admitted, .sent, .answered, .breaker: return nil
        }
    }

    /// The members of a `search/source` notification behind its request.
    package func write(of source: SourceName, to writer: inout JSONWriter) {
        writer.member("source", source.text)
        switch self {
        case .queued(let reason, let wait):
            writer.member("status", "queued")
            writer.member("reason", reason.rawValue)
            // Rounded up: whoever waits so long has waited long enough.
            writer.member("wait", Int((wait.saturatingNanoseconds + 999_999) / 1_000_000))
        case .retrying(let attempt):
            writer.member("status", "retrying")
            writer.member("attempt", attempt)
        }
    }
}
