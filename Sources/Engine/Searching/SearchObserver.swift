import EventLoop
package import JSON
package import RPC
package import SearchModel
import Upstream

/// Takes a search's progress, in order, as it comes; a slow one holds the search back.
package protocol SearchObserver: Sendable {
    func hits(_ hits: [HitPosition], from source: SourceName) async
    /// A source keeps the search waiting.
    func waiting(_ notice: WaitNotice, on source: SourceName) async
    func source(_ report: SourceReport) async
    /// So many of the sources have answered or failed by now, and these have not; called when the search has to wait,
    /// and at every change.
    func progress(answered: Int, asked: Int, waitingFor out: [SourceName]) async
}

extension Duration {
    /// Rounded up: after so long it is over.
    var wholeMilliseconds: Int { Int(saturatingNanoseconds.addingReportingOverflow(999_999).partialValue / 1_000_000) }
}

/// Why a source keeps a stream waiting, as it happens.
package enum WaitNotice: Equatable, Sendable {
    case queued(WaitReason, wait: Duration)
    case retrying(attempt: Int)

    /// Nil for what keeps no caller waiting.
    init?(_ event: CallEvent) {
        switch event {
        case .queued(let reason, let wait): self = .queued(reason, wait: wait)
        case .retrying(let attempt, _): self = .retrying(attempt: attempt)
        case .joined, .sent, .answered, .breaker: return nil
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
