import EventLoop
package import JSON
package import RPC
package import SearchModel
import Upstream

/// Receives the progress of a search, in order; a slow observer delays the search.
package protocol SearchObserver: Sendable {
    func hits(_ hits: [HitPosition], from source: SourceName) async
    func waiting(_ notice: WaitNotice, on source: SourceName) async
    func source(_ report: SourceReport) async
    /// Called when the search must wait, and again when `answered` changes.
    func progress(answered: Int, asked: Int, waitingFor out: [SourceName]) async
}

extension Duration {
    var wholeMilliseconds: Int { Int(saturatingNanoseconds.addingReportingOverflow(999_999).partialValue / 1_000_000) }
}

/// Why a search waits for a source.
package enum WaitNotice: Equatable, Sendable {
    case queued(WaitReason, wait: Duration)
    case retrying(attempt: Int)

    init?(_ event: CallEvent) {
        switch event {
        case .queued(let reason, let wait): self = .queued(reason, wait: wait)
        case .retrying(let attempt, _, _): self = .retrying(attempt: attempt)
        case .joined, .sent, .answered, .billed, .breaker: return nil
        }
    }

    /// Writes the members that follow `request` in a `search/source` notification.
    package func write(of source: SourceName, to writer: inout JSONWriter) {
        writer.member(.source, source.text)
        switch self {
        case .queued(let reason, let wait):
            writer.member(.status, "queued")
            writer.member(.reason, reason.rawValue)
            writer.member(.wait, wait.wholeMilliseconds)
        case .retrying(let attempt):
            writer.member(.status, "retrying")
            writer.member(.attempt, attempt)
        }
    }
}
